/**
 * Returns the base URL of an issuer. An organisation with its own keys is a separate issuer under the service's URL.
 * @param publicUrl base URL of the service, without a trailing slash
 * @param organisation the `org` part of context keys; undefined for the service itself
 */
export function issuerUrl(publicUrl: string, organisation: string | undefined): string {
  return organisation === undefined ? publicUrl : `${publicUrl}/organisations/${segment(organisation)}`;
}

/**
 * Returns whether a did:web may belong to an organisation. Compares only the end of the DID, because the service may
 * have moved to another host.
 * @param organisation undefined for the service itself
 */
export function canBeDidOf(organisation: string | undefined, did: string): boolean {
  const [, named] = /^did:web:.+:organisations:([^:]+)$/.exec(did) ?? [];
  return named === (organisation === undefined ? undefined : segment(organisation));
}

/**
 * Escapes an organisation as a path segment. Also escapes `~` and `:`, which organisations may contain but the segments
 * of a DID may not.
 */
function segment(organisation: string): string {
  return encodeURIComponent(organisation).replaceAll("~", "%7E");
}
