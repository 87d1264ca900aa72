/** Returns the readable parts of a course or path key: `HarbourLight · AST101 · 2025`. */
export function keyParts(key: string): string {
  return key
    .replace(/^(?:course|path)-v1:/, "")
    .split("+")
    .join(" · ");
}
