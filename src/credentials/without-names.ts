/** What means something in a regular expression. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/g;

/**
 * Takes names out of a text: each, in either case, where it stands as a word. `…` takes its place.
 * @param names empty ones are nothing
 */
export function withoutNames(text: string, names: Iterable<string>): string {
  const longestFirst = [...new Set(names)]
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return text;
  const any = longestFirst.map((name) => name.replace(SYNTAX, "\\$&")).join("|");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu"), "…");
}
