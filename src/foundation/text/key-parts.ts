/** Returns the readable parts of a course or path key: `HarbourLight · AST101 · 2025`. */
export function keyParts(key: string): string {
  return key
    .replace(/^(?:course|path)-v1:/, "")
    .split("+")
    .join(" · ");
}

/**
 * Returns whether a key belongs to a learning path. Checks only the prefix, because stored keys may be older than the
 * current rules.
 */
export function isPathKey(text: string): boolean {
  return text.startsWith("path-v1:");
}
