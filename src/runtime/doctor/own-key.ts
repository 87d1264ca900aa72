/** `<directory>/<uuid of the credential>/<name>` or `<directory>/<SHA-256 of an asset's content>` */
const ownFileKey = /\/(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[^/]+|[0-9a-f]{64})$/;

/** Returns whether the service could have created the key. */
export function isOwnKey(key: string): boolean {
  return ownFileKey.test(key);
}

/** Returns the UUID of the credential that the file belongs to; undefined if the key contains no UUID. */
export function ownerUuid(key: string): string | undefined {
  return ownFileKey.exec(key)?.[1];
}
