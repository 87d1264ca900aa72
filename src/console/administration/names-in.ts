/** Returns what is typed between commas. */
export function namesIn(text: string): string[] {
  return text
    .split(/[,،;]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
