import { invalid } from "../errors.js";

/**
 * Checks a text that is kept and shown: its length in characters, not blank where `min` is not 0, no control characters
 * (but line breaks where `lines`), no half of a surrogate pair.
 * @throws Problem `invalid` naming the field
 */
export function checkText(
  field: string,
  text: string,
  length: { min: number; max: number; lines?: true },
): string {
  if (text.length < length.min) throw invalid(`${field} is empty.`);
  if (length.min > 0 && text.trim() === "") throw invalid(`${field} is blank.`);
  if (text.length > length.max && [...text].length > length.max) {
    throw invalid(`${field} has ${[...text].length} characters; at most ${length.max} are accepted.`);
  }
  const control = (length.lines ? /(?!\n)\p{Cc}/u : /\p{Cc}/u).exec(text)?.[0];
  if (control !== undefined) throw invalid(`${field} contains the control character ${codePoint(control)}.`);
  if (!text.isWellFormed()) throw invalid(`${field} is not valid Unicode.`);
  return text;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
