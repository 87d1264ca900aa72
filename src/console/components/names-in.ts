/** Returns what is typed between commas or line breaks. */
export function namesIn(text: string): string[] {
  return text
    .split(/[,،;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
