import { invalid } from "../errors.js";
import { isBlank } from "./plain-line.js";

interface Length {
  readonly min: number;
  readonly max: number;
  /** Whether it may have several lines. */
  readonly lines?: true;
}

/** Words of ASCII with one space between them, as most texts are: nothing to change. */
const plain = /^[\x21-\x7E]+(?: [\x21-\x7E]+)*$/;

/** Direction controls: they would make a name read differently on paper than on a page. */
const unshown = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu;

/**
 * Checks a text that is kept: its length in characters, not blank where `min` is not 0, no control characters (but line
 * breaks where `lines`), no half of a surrogate pair. A byte order mark at its beginning is dropped, as gRPC does.
 * @throws Problem `invalid` naming the field
 */
export function checkText(field: string, given: string, length: Length): string {
  const text = given.startsWith("\uFEFF") ? given.slice(1) : given;
  if (text.length < length.min) throw invalid(`${field} is empty.`);
  if (length.min > 0 && isBlank(text)) throw invalid(`${field} is blank.`);
  if (text.length > length.max && [...text].length > length.max) {
    throw invalid(`${field} has ${[...text].length} characters; at most ${length.max} are accepted.`);
  }
  const control = (length.lines ? /(?!\n)\p{Cc}/u : /\p{Cc}/u).exec(text)?.[0];
  if (control !== undefined) throw invalid(`${field} contains the control character ${codePoint(control)}.`);
  if (!text.isWellFormed()) throw invalid(`${field} is not valid Unicode.`);
  return text;
}

/**
 * The same for a text that is printed and shown: it comes out as it looks, everywhere the same. Controls of direction go, runs of
 * spaces become one, and what shows nothing is empty.
 * @throws Problem `invalid` naming the field
 */
export function checkShownText(field: string, given: string, length: Length): string {
  const text = checkText(field, given, length);
  if (plain.test(text)) return text;
  if (isBlank(text)) return "";
  return text
    .replace(unshown, "")
    .split("\n")
    .map((line) => line.replace(/\s+/gu, " ").trim())
    .join("\n")
    .trim();
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
