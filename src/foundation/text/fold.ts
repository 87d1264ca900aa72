/** Matches a word: letters with their marks, digits and joiners. */
const WORD = /[\p{L}\p{M}\p{N}\u200c\u200d]+/gu;

/** Letters that are interchangeable in spellings of names, but that Unicode doesn't decompose. */
const ALIKE: Readonly<Record<string, string>> = {
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
 * Returns a word without case and accents. Marks that are vowels of their script are kept, because Thai or Devanagari
 * names would otherwise be indistinguishable. Arabic joiners and elongation are removed.
 */
export function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\p{sc=Inherited}\u0591-\u05c7\u0640]/gu, "")
    .replace(/[ßæœøłđðþıςґё]/g, (letter) => ALIKE[letter] as string)
    .normalize("NFC");
}

/** Replaces each word of a text. */
export function replaceWords(text: string, replace: (word: string) => string): string {
  return text.replace(WORD, replace);
}

/** Returns the folded words of a text in order. */
export function foldedWords(text: string): string[] {
  return (text.match(WORD) ?? []).map(fold).filter((word) => word !== "");
}
