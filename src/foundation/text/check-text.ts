import { invalidField } from "../errors.js";
import { isBlank } from "./plain-line.js";

interface Length {
  readonly min: number;
  readonly max: number;
  /** True to allow line breaks. */
  readonly lines?: true;
}

/** Matches ASCII words separated by single spaces. Such texts need no changes. Most texts match. */
const plain = /^[\x21-\x7E]+(?: [\x21-\x7E]+)*$/;

const BYTE_ORDER_MARK = "\uFEFF";

/** Matches characters to remove. Direction controls would make a name look different on paper and on a page. */
const unshown = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu;

/**
 * Checks a text before it is stored. Refuses a text that has the wrong length (in characters), contains control
 * characters or unpaired surrogates, or is blank although `min` isn't 0. Line breaks are allowed only with `lines`.
 * Also refuses a leading byte order mark: programs remove it silently, which would make two different names the same.
 * @throws Problem `invalid` that names the field
 */
export function checkText(field: string, text: string, length: Length): string {
  if (text.startsWith(BYTE_ORDER_MARK))
    throw invalidField(field, `${field} begins with an invisible byte order mark (U+FEFF): remove it.`);
  if (text.length < length.min) throw invalidField(field, `${field} is empty.`);
  if (length.min > 0 && isBlank(text)) throw invalidField(field, `${field} is blank.`);
  if (text.length > length.max && [...text].length > length.max) {
    throw invalidField(
      field,
      `${field} has ${[...text].length} characters; at most ${length.max} are accepted.`,
    );
  }
  const control = (length.lines ? /(?!\n)\p{Cc}/u : /\p{Cc}/u).exec(text)?.[0];
  if (control !== undefined)
    throw invalidField(field, `${field} contains the control character ${codePoint(control)}.`);
  if (!text.isWellFormed()) throw invalidField(field, `${field} is not valid Unicode.`);
  return text;
}

/**
 * Checks a text that will be printed and shown, and normalises it so that it looks the same everywhere: removes
 * direction controls and a leading byte order mark, reduces runs of spaces to one space, and makes invisible texts
 * empty.
 * @throws Problem `invalid` that names the field
 */
export function checkShownText(field: string, input: string, length: Length): string {
  const text = checkText(field, input.startsWith(BYTE_ORDER_MARK) ? input.slice(1) : input, length);
  if (plain.test(text)) return text;
  if (isBlank(text)) return "";
  return text
    .replace(unshown, "")
    .split("\n")
    .map((line) => line.replace(/\s+/gu, " ").trim())
    .join("\n")
    .trim();
}

export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
