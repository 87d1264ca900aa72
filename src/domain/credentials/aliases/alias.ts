import { quoted, wrongField } from "#foundation/errors.js";
import { readBareUuid } from "../find-uuid.js";
import { readShortCode } from "../short-code.js";

const MAX_ALIASES = 10;

/** Number of possible twelve-digit codes. Other systems print no shorter codes. */
const MIN_POSSIBLE = 1e12;
/** Minimum number of different characters. Only one in 16,000 random twelve-digit codes has fewer. */
const MIN_DIFFERENT = 4;

/** Returns whether a text has the form of a code: only characters that need no escaping in a URL. */
export function isCode(text: string): boolean {
  return /^[\w.~-]{8,255}$/.test(text);
}

/**
 * Checks the codes by which another system verified a credential. Codes that the verification page reads as UUIDs are
 * returned in lower case with hyphens.
 * @throws Problem `invalid` naming the code
 */
export function checkAliases(aliases: readonly string[]): string[] {
  if (aliases.length > MAX_ALIASES)
    throw wrongField("aliases", `has ${aliases.length} codes; at most ${MAX_ALIASES} are accepted.`);
  return [...new Set(aliases.map(checkAlias))];
}

function checkAlias(alias: string): string {
  if (!isCode(alias)) {
    throw wrongField(
      "aliases",
      `contains ${quoted(alias)}; a code must have 8 to 255 characters, only letters, digits and . _ ~ -`,
    );
  }
  if (!isHardToGuess(alias)) {
    throw wrongField(
      "aliases",
      `contains ${quoted(alias)}, which is too easy to guess, and anyone who guesses it can read the learner's name: remove it.`,
    );
  }
  return normalizeAlias(alias);
}

export function normalizeAlias(code: string): string {
  return readBareUuid(code) ?? readShortCode(code) ?? code;
}

/**
 * Returns whether the code has enough possible values and different characters. Doesn't recognise words or counting,
 * such as `123456789012`.
 */
export function isHardToGuess(alias: string): boolean {
  const characters = alias.replace(/[^\p{L}\p{N}]/gu, "");
  const letters = /^\d*$/.test(characters) ? 10 : /^(?:[a-z\d]*|[A-Z\d]*)$/.test(characters) ? 36 : 62;
  return letters ** characters.length >= MIN_POSSIBLE && new Set(characters).size >= MIN_DIFFERENT;
}
