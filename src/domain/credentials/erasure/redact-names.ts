import { fold, foldedWords, replaceWords } from "#foundation/text/fold.js";

const ELLIPSIS = "…";

/** Replaces the whole text if a name can't be removed from it word by word. */
export const REMOVED_WITH_NAME = "The reason was removed together with the learner's personal data.";

/** A person whose names must not remain in a text. */
interface NamedPerson {
  readonly username: string;
  /** Current and former names. Empty names are ignored. */
  readonly fullNames: readonly string[];
  readonly emails: readonly string[];
  /** Current and former identifiers at the institution. */
  readonly learnerIds?: readonly string[];
}

/** Several ellipses in a row, which become one. */
const SEVERAL_ELLIPSES = /…(?:[\s,;.·'’‐-―-]*…)+/gu;

/** Three or more separate letters, as in a name that is spelt out. */
const SPELLED_OUT_NAME = /(?<![\p{L}\p{M}])\p{L}\p{M}*(?:[^\p{L}\p{M}]+\p{L}\p{M}*(?![\p{L}\p{M}])){2,}/u;

/** The Chinese script, in which a family name may be a single character. */
const HAN = /\p{sc=Han}/u;

/** Scripts that write words without spaces, or join particles to words. */
const UNSPACED =
  /[\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

/** Shorter parts of a name are common words in many languages, so they must match a whole word. */
const MIN_PART_LENGTH = 3;

/** Parts of a name of at least this length are also searched for within words. */
const MIN_INFIX_LENGTH = 5;

/** Parts of a name of at least this length also match words with two wrong or swapped letters. */
const MIN_TWO_TYPOS_LENGTH = 7;

/**
 * Replaces a learner's names, username, email address and learner ID in a text with `…`. Finds the parts of a name
 * alone or in any order, with an ending, in different case or accents, or with a wrong letter.
 *
 * The function removes too many words rather than too few. If part of a name may still remain, it replaces the whole
 * text.
 */
export function redactNames(text: string, named: NamedPerson): string {
  const parts = partsOf(named);
  const { username, emails, learnerIds = [] } = named;
  const identifiers = [username, ...emails, ...learnerIds]
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const isNamed = (word: string) => parts.some((part) => isSpelling(fold(word), part));
  const left = replaceWords(withoutWholeWords(text, identifiers), (word) =>
    isNamed(word) ? ELLIPSIS : word,
  ).replace(SEVERAL_ELLIPSES, ELLIPSIS);
  return mayContainName(left, parts) ? REMOVED_WITH_NAME : left;
}

/**
 * Returns the folded words of names, username and email address. Short words of the username and the address are left
 * out.
 */
function partsOf({ username, fullNames, emails }: NamedPerson): string[] {
  const ofNames = fullNames.flatMap(foldedWords);
  const mailboxes = emails.map((email) => email.slice(0, email.lastIndexOf("@")));
  const ofIdentifiers = [username, ...mailboxes]
    .flatMap(foldedWords)
    .filter((word) => word.length >= MIN_PART_LENGTH);
  return [...new Set([...ofNames, ...ofIdentifiers])];
}

function withoutWholeWords(text: string, identifiers: readonly string[]): string {
  if (identifiers.length === 0) return text;
  const longestFirst = [...identifiers].sort((a, b) => b.length - a.length);
  const any = longestFirst.map((each) => each.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu"), ELLIPSIS);
}

/** Returns whether a folded word is part of a name: unchanged, with an ending, or misspelt. */
function isSpelling(word: string, part: string): boolean {
  if (part.length < MIN_PART_LENGTH) return word === part;
  if (word.startsWith(part)) return true;
  if (part.length <= MIN_PART_LENGTH || /\p{N}/u.test(part)) return false;
  if (Math.abs(word.length - part.length) > 2) return false;
  const prefix = sharedLength(word, part);
  // An ending may replace the last letter (Olha, Olhy) and, in longer names, the last two (Pavel, Pavla).
  if (prefix >= part.length - (part.length < MIN_INFIX_LENGTH ? 1 : 2)) return true;
  const suffix = sharedLength(reversed(word.slice(prefix)), reversed(part.slice(prefix)));
  return prefix + suffix >= part.length - (part.length < MIN_TWO_TYPOS_LENGTH ? 1 : 2);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

/** Returns whether part of a name may remain in the text: within a word, across words, or spelt letter by letter. */
function mayContainName(text: string, parts: readonly string[]): boolean {
  if (parts.length > 0 && SPELLED_OUT_NAME.test(text)) return true;
  const letters = foldedWords(text).join("");
  return parts.flatMap(informativePieces).some((piece) => letters.includes(piece));
}

/** Returns pieces of a name that are so characteristic that they may reveal the name even inside other words. */
function informativePieces(part: string): string[] {
  const characters = [...part];
  if (HAN.test(part)) return characters.filter((character) => HAN.test(character));
  if (UNSPACED.test(part))
    return characters.slice(1).map((character, before) => characters[before] + character);
  return part.length >= MIN_INFIX_LENGTH ? [part] : [];
}
