/** What a key of a course or learning path tells people: `HarbourLight · AST101 · 2025`. */
export function keyParts(key: string): string {
  return key
    .replace(/^(?:course|path)-v1:/, "")
    .split("+")
    .join(" · ");
}

export function isPathKey(key: string): boolean {
  return key.startsWith("path-v1:");
}
