/** A range and how dear it is, from 0 to 1 with at most three digits (RFC 9110, 12.5.4). */
const wish = /^([A-Za-z\d-]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * The language tags of an `Accept-Language` header, the dearest first, those that are equally dear as they came. What is
 * malformed or refused (`q=0`) is left out, and so is `*`, which wishes for nothing.
 */
export function readAcceptLanguage(header: string): string[] {
  return header
    .split(",")
    .map((text) => wish.exec(text.trim()))
    .flatMap((match) => (match?.[1] === undefined ? [] : [{ tag: match[1], dear: Number(match[2] ?? 1) }]))
    .filter(({ dear }) => dear > 0)
    .sort((one, other) => other.dear - one.dear)
    .map(({ tag }) => tag);
}
