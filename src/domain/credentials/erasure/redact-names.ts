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

/** Two or more separate letters, as in initials or a name that is spelt out. */
const SEPARATE_LETTERS = /(?<![\p{L}\p{M}])\p{L}\p{M}*(?:[^\p{L}\p{M}]+\p{L}\p{M}*(?![\p{L}\p{M}]))+/gu;

/** The Chinese script, in which a family name may be a single character. */
const HAN = /\p{sc=Han}/u;

/** Scripts that write words without spaces, or join particles to words. */
const UNSPACED =
  /[\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

/** Particles that Arabic, Hebrew and Amharic join to the beginning of a name, such as “for” and “and”. */
const PARTICLES = /^(?:[ابسفكلو]{1,3}|[בהוכלמש]{1,3}|[ለበከየ])$/u;

/**
 * Minimum length of parts of a name that also match words in which an ending replaces the last
 * letter.
 */
const MIN_PART_LENGTH = 3;

/** The most letters that an ending adds to a name, as in Slovene “Aninega” (of Ana). */
const MAX_ENDING_LENGTH = 4;

/** Minimum length of parts of a name that are also searched for within words. */
const MIN_INFIX_LENGTH = 5;

/** Minimum length of parts of a name that also match words with two wrong letters. */
const MIN_TWO_TYPOS_LENGTH = 7;

/**
 * Replaces a learner's names, username, email address and learner ID in a text with `…`. Finds the parts of a name
 * alone or in any order, with an ending or a particle, in different case or accents, and, if they have at least four
 * letters, with a wrong letter or two swapped letters. Finds identifiers also if their spaces and signs differ.
 *
 * The function also removes words that only resemble a name. If the text may contain a name within a word, across
 * words, letter by letter or as separate initials, it replaces the whole text. It doesn't find nicknames, initials that
 * are joined, or names in another script.
 */
export function redactNames(text: string, named: NamedPerson): string {
  const parts = partsOf(named);
  const { username, emails, learnerIds = [] } = named;
  const identifiers = [username, ...emails, ...learnerIds]
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const isNamed = (word: string) =>
    withoutParticles(fold(word)).some((each) => parts.some((part) => isSpelling(each, part)));
  const left = replaceWords(withoutWholeWords(text, identifiers), (word) =>
    isNamed(word) ? ELLIPSIS : word,
  ).replace(SEVERAL_ELLIPSES, ELLIPSIS);
  return mayContainName(left, parts) ? REMOVED_WITH_NAME : left;
}

/**
 * Returns the folded words of the names, username and email address. Also returns neighbouring
 * words of a name, joined in either order. Short words of the username and the address are left
 * out.
 */
function partsOf({ username, fullNames, emails }: NamedPerson): string[] {
  const ofNames = fullNames.flatMap((fullName) => {
    const words = foldedWords(fullName);
    const pairs = words.slice(1).flatMap((word, before) => [words[before] + word, word + words[before]]);
    return [...words, ...pairs];
  });
  const mailboxes = emails.map((email) => email.slice(0, email.lastIndexOf("@")));
  const ofIdentifiers = [username, ...mailboxes]
    .flatMap(foldedWords)
    .filter((word) => word.length >= MIN_PART_LENGTH);
  return [...new Set([...ofNames, ...ofIdentifiers])];
}

function withoutWholeWords(text: string, identifiers: readonly string[]): string {
  if (identifiers.length === 0) return text;
  const longestFirst = [...identifiers].sort((a, b) => b.length - a.length);
  const any = longestFirst.map(patternOf).join("|");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu"), ELLIPSIS);
}

/**
 * Returns a pattern for an identifier. In longer identifiers, the spaces and signs between
 * characters may differ.
 */
function patternOf(identifier: string): string {
  const characters = identifier.match(/[\p{L}\p{M}\p{N}]/gu) ?? [];
  return characters.length < MIN_INFIX_LENGTH
    ? identifier.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&")
    : characters.join("[^\\p{L}\\p{M}\\p{N}]{0,2}");
}

/** Returns the word, and the word without each beginning that may consist of particles. */
function withoutParticles(word: string): string[] {
  const shorter = [1, 2, 3].filter((length) => PARTICLES.test(word.slice(0, length)));
  return [word, ...shorter.map((length) => word.slice(length))];
}

/** Returns whether a folded word is part of a name: unchanged, with an ending, or misspelt. */
function isSpelling(word: string, part: string): boolean {
  if (word === part) return true;
  // Longer words that begin with such a short part are too common.
  if (part.length < MIN_PART_LENGTH) return part.length === 2 && word.startsWith(part) && word.length <= 4;
  if (word.startsWith(part)) return true;
  if (word.length < MIN_PART_LENGTH || /\p{N}/u.test(part)) return false;
  const added = word.length - part.length;
  const prefix = sharedLength(word, part);
  // An ending may replace the last letter (Olha, Olhy) and, in longer names, the last two (Pavel, Pavla).
  if (prefix >= part.length - 1 && added <= MAX_ENDING_LENGTH) return true;
  if (Math.abs(added) > 2) return false;
  if (part.length === MIN_PART_LENGTH) return losesVowel(word, part);
  if (part.length >= MIN_INFIX_LENGTH && prefix >= part.length - 2) return true;
  const suffix = sharedLength(reversed(word.slice(prefix)), reversed(part.slice(prefix)));
  const [wrong, right] = [word, part].map((each) => each.slice(prefix, each.length - suffix));
  if (wrong?.length === 2 && right === reversed(wrong)) return true;
  return prefix + suffix >= part.length - (part.length < MIN_TWO_TYPOS_LENGTH ? 1 : 2);
}

/** Returns whether the word is a name of three letters with an ending before which its vowel disappears (Lew, Lwa). */
function losesVowel(word: string, part: string): boolean {
  return /^.[eе]./u.test(part) && word.replace("ь", "").startsWith(part.replace(/[eе]/u, ""));
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

/** Returns whether part of a name may remain in the text: within a word, across words, or in separate letters. */
function mayContainName(text: string, parts: readonly string[]): boolean {
  if (parts.length > 0 && hasInitialsOrSpeltOutName(text, parts)) return true;
  const letters = foldedWords(text).join("");
  return parts.flatMap(informativePieces).some((piece) => letters.includes(piece));
}

/** Returns whether the text contains three or more separate letters in a row, or two that begin parts of the name. */
function hasInitialsOrSpeltOutName(text: string, parts: readonly string[]): boolean {
  const begins = (letter: string) => parts.some((part) => part.startsWith(letter));
  return (text.match(SEPARATE_LETTERS) ?? [])
    .map((row) => foldedWords(row).filter((word) => /\p{L}/u.test(word)))
    .some((letters) => letters.length > 2 || letters.every(begins));
}

/** Returns pieces of a name that are so characteristic that they may reveal the name even inside other words. */
function informativePieces(part: string): string[] {
  const characters = [...part];
  if (HAN.test(part)) return characters.filter((character) => HAN.test(character));
  if (UNSPACED.test(part))
    return characters.slice(1).map((character, before) => characters[before] + character);
  return part.length >= MIN_INFIX_LENGTH ? [part] : [];
}
