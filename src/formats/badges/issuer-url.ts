/**
 * Returns the base URL of an issuer. Each organisation with keys of its own is an issuer below the service.
 * @param publicUrl base URL of the service, without a trailing slash
 * @param organisation the `org` part of context keys; undefined: the service itself
 */
export function issuerUrl(publicUrl: string, organisation: string | undefined): string {
  return organisation === undefined ? publicUrl : `${publicUrl}/organisations/${segment(organisation)}`;
}

/**
 * Returns whether a did:web can be an organisation's. The service may have moved, so only the end of the DID
 * counts.
 * @param organisation undefined: the service itself
 */
export function canBeDidOf(organisation: string | undefined, did: string): boolean {
  const [, named] = /^did:web:.+:organisations:([^:]+)$/.exec(did) ?? [];
  return named === (organisation === undefined ? undefined : segment(organisation));
}

/** An organisation has letters of any script, digits and `_ - ~ . :`; a DID allows neither `~` nor `:` here. */
function segment(organisation: string): string {
  return encodeURIComponent(organisation).replaceAll("~", "%7E");
}
