/** Converts digits of any script to ASCII, and full-width characters to narrow ones. */
export function asciiDigits(typed: string): string {
  return [...typed.normalize("NFKC")].map(toAsciiDigit).join("");
}

/** Converts Arabic-Indic and Persian digits, whose code points are in the order of their values. */
function toAsciiDigit(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  for (const zero of [0x660, 0x6f0]) if (point >= zero && point <= zero + 9) return String(point - zero);
  return character;
}
