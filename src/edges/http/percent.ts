/**
 * Decodes percent-encoded UTF-8 (RFC 3986).
 * @param text in ASCII; Node refuses URLs with other characters
 * @returns undefined if an escape is malformed or the bytes are not UTF-8
 */
export function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
