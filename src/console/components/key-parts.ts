export { keyParts } from "#foundation/text/key-parts.js";

export function isPathKey(key: string): boolean {
  return key.startsWith("path-v1:");
}
