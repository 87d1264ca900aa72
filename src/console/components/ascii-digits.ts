/** A typed number with digits of any script as ASCII ones, and wide characters as narrow. */
export function asciiDigits(typed: string): string {
  return [...typed.normalize("NFKC")].map(toAsciiDigit).join("");
}

/** Arabic-Indic and Persian digits, whose values follow their code points. */
function toAsciiDigit(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  for (const zero of [0x660, 0x6f0]) if (point >= zero && point <= zero + 9) return String(point - zero);
  return character;
}
