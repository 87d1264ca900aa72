/**
 * Returns whether a JWT's registered claims agree with its credential (Open Badges 3.0, 8.2.4.1). Badges from earlier
 * versions of this service have no `exp`, although they expire at `validUntil`.
 */
export function claimsAgree(payload: Readonly<Record<string, unknown>>): boolean {
  const { iss, jti, sub, nbf, exp, issuer, id, credentialSubject, validFrom, validUntil } = payload;
  return (
    iss === (typeof issuer === "string" ? issuer : idIn(issuer)) &&
    jti === id &&
    sub === idIn(credentialSubject) &&
    nbf === numericDateOf(validFrom) &&
    (exp === undefined || exp === numericDateOf(validUntil))
  );
}

/** Converts an ISO 8601 time to a NumericDate (RFC 7519, 2); NaN if the value is not a time. */
export function numericDateOf(moment: unknown): number {
  return Date.parse(String(moment)) / 1000;
}

function idIn(node: unknown): unknown {
  return (node as { readonly id?: unknown } | null | undefined)?.id;
}
