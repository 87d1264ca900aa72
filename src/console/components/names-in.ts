/** Splits a text at commas, semicolons and line breaks. */
export function namesIn(text: string): string[] {
  return text
    .split(/[,،;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
