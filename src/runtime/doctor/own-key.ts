/** `<directory>/<uuid of the credential>/<name>`, and `<directory>/<SHA-256 of an asset's content>` */
const ownKey = /\/(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[^/]+|[0-9a-f]{64})$/;

/** Returns whether a key has the form of the service's own keys. */
export function isOwnKey(key: string): boolean {
  return ownKey.test(key);
}

/** Returns the `uuid` of the credential for which a file was made; undefined if the key contains none. */
export function ownerUuid(key: string): string | undefined {
  return ownKey.exec(key)?.[1];
}
