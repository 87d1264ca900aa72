/** Returns the items of a text, separated by commas, semicolons or line breaks. */
export function namesIn(text: string): string[] {
  return text
    .split(/[,،;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
