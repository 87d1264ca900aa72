/** Matches a language range with its weight (RFC 9110, 12.5.4). */
const languageRange = /^([A-Za-z\d-]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * Returns the language tags of an `Accept-Language` header, highest weight first. Omits malformed and refused (`q=0`)
 * ranges. Also omits `*`, which expresses no preference.
 */
export function readAcceptLanguage(header: string): string[] {
  return header
    .split(",")
    .map((text) => languageRange.exec(text.trim()))
    .flatMap((match) => (match?.[1] === undefined ? [] : [{ tag: match[1], weight: Number(match[2] ?? 1) }]))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
