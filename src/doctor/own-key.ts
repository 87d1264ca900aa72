/** `<directory>/<uuid of the credential>/<name>`, and `<directory>/<SHA-256 of an asset's content>` */
const ownKey = /\/(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[^/]+|[0-9a-f]{64})$/;

/** Whether the service itself makes such keys. */
export function isOwnKey(key: string): boolean {
  return ownKey.test(key);
}

/** `uuid` of the credential that a file was made for; undefined: for none. */
export function ownerUuid(key: string): string | undefined {
  return ownKey.exec(key)?.[1];
}
