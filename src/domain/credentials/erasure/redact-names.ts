import { fold, foldedWords, replaceWords } from "#foundation/text/fold.js";

/** Placeholder for a removed name. */
const GONE = "…";

/** Replaces a text from which a name can't be removed word by word. It reveals nothing about anyone. */
export const REMOVED_WITH_NAME = "The reason was removed together with the learner's personal data.";

/** A person whose names must no longer be found in a text. */
export interface Named {
  readonly username: string;
  /** Every name that the learner has or had; empty ones are ignored. */
  readonly fullNames: readonly string[];
  readonly emails: readonly string[];
  /** Present and former identifiers of the learner at the institution. */
  readonly learnerIds?: readonly string[];
}

/** Several removed words in a row, which become one ellipsis. */
const SEVERAL_GONE = /…(?:[\s,;.·'’‐-―-]*…)+/gu;

/** Three or more separate letters, as in a name that is spelt out. */
const SPELT = /(?<![\p{L}\p{M}])\p{L}\p{M}*(?:[^\p{L}\p{M}]+\p{L}\p{M}*(?![\p{L}\p{M}])){2,}/u;

/** Script in which a single character may be a family name. */
const HAN = /\p{sc=Han}/u;

/** Scripts that write words without spaces, or join particles to them. */
const UNSPACED =
  /[\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

/** Shorter parts are ordinary words in many languages, so they match whole words only. */
const PART_LENGTH = 3;

/** Parts of at least this length are also searched for within words. */
const TELLING_LENGTH = 5;

/** Parts of at least this length still match with two letters wrong or swapped. */
const LONG_LENGTH = 7;

/**
 * Replaces a learner's names, username and email address in a text with `…`. Finds every part of a name alone or in any
 * order, with an ending, in different case or accents, or with one wrong letter.
 *
 * It removes too many words rather than too few. If part of a name may remain nevertheless, it removes the whole text.
 */
export function redactNames(text: string, named: Named): string {
  const parts = partsOf(named);
  const { username, emails, learnerIds = [] } = named;
  const identifiers = [username, ...emails, ...learnerIds]
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const isNamed = (word: string) => parts.some((part) => isSpelling(fold(word), part));
  const left = replaceWords(withoutWholeWords(text, identifiers), (word) =>
    isNamed(word) ? GONE : word,
  ).replace(SEVERAL_GONE, GONE);
  return mayHold(left, parts) ? REMOVED_WITH_NAME : left;
}

/**
 * Returns the words of the names, folded. Includes words of the username and the address only if they are long enough
 * to be a name.
 */
function partsOf({ username, fullNames, emails }: Named): string[] {
  const ofNames = fullNames.flatMap(foldedWords);
  const mailboxes = emails.map((email) => email.slice(0, email.lastIndexOf("@")));
  const ofIdentifiers = [username, ...mailboxes]
    .flatMap(foldedWords)
    .filter((word) => word.length >= PART_LENGTH);
  return [...new Set([...ofNames, ...ofIdentifiers])];
}

function withoutWholeWords(text: string, identifiers: readonly string[]): string {
  if (identifiers.length === 0) return text;
  const longestFirst = [...identifiers].sort((a, b) => b.length - a.length);
  const any = longestFirst.map((each) => each.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu"), GONE);
}

/** Returns whether a folded word is part of a name: unchanged, with an ending, or misspelt. */
function isSpelling(word: string, part: string): boolean {
  if (part.length < PART_LENGTH) return word === part;
  if (word.startsWith(part)) return true;
  if (part.length <= PART_LENGTH || /\p{N}/u.test(part)) return false;
  if (Math.abs(word.length - part.length) > 2) return false;
  const prefix = sharedLength(word, part);
  // An ending may replace the last letter, and in longer names the last two: Olha, Olhy; Pavel, Pavla.
  if (prefix >= part.length - (part.length < TELLING_LENGTH ? 1 : 2)) return true;
  const suffix = sharedLength(reversed(word.slice(prefix)), reversed(part.slice(prefix)));
  return prefix + suffix >= part.length - (part.length < LONG_LENGTH ? 1 : 2);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

/**
 * Returns whether a text may still reveal part of a name: within a word, across several words, or spelt letter
 * by letter.
 */
function mayHold(text: string, parts: readonly string[]): boolean {
  if (parts.length > 0 && SPELT.test(text)) return true;
  const letters = foldedWords(text).join("");
  return parts.flatMap(tellingPieces).some((piece) => letters.includes(piece));
}

/** Returns the pieces of a name part that reveal it in any position. */
function tellingPieces(part: string): string[] {
  const characters = [...part];
  if (HAN.test(part)) return characters.filter((character) => HAN.test(character));
  if (UNSPACED.test(part))
    return characters.slice(1).map((character, before) => characters[before] + character);
  return part.length >= TELLING_LENGTH ? [part] : [];
}
