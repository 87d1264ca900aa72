/** Matches a word: letters with their marks, digits and joiners. */
const WORD = /[\p{L}\p{M}\p{N}\u200c\u200d]+/gu;

/** Letters that are interchangeable with others in spellings of names, although Unicode doesn't decompose them. */
const EQUIVALENT_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
  ґ: "г",
  ё: "е",
};

/**
 * Returns a word without case and accents. Keeps marks that are vowels of their script, because Thai or Devanagari
 * names would otherwise be indistinguishable. Removes Arabic joiners and elongation.
 */
export function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\p{sc=Inherited}\u0591-\u05c7\u0640]/gu, "")
    .replace(/[ßæœøłđðþıςґё]/g, (letter) => EQUIVALENT_LETTERS[letter] as string)
    .normalize("NFC");
}

export function replaceWords(text: string, replace: (word: string) => string): string {
  return text.replace(WORD, replace);
}

export function foldedWords(text: string): string[] {
  return (text.match(WORD) ?? []).map(fold).filter((word) => word !== "");
}
