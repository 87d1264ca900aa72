/** Returns whether a text contains all words that were typed. Ignores case and accents. */
export function hasWords(text: string, typed: string): boolean {
  const where = folded(text);
  return folded(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .every((word) => where.includes(word));
}

function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
