import { plainLine } from "#foundation/text/plain-line.js";

const MAX_LENGTH = 60;
const MAX_WORDS = 6;

/** A word of a name. A dot only ends it, or stands between initials: `evil.com` would become a link. */
const word = /^(?:\p{L}(?:[\p{L}\p{M}'’ʼ-]|\u200c|\u200d)*\.?|(?:\p{Lu}\.){1,4}),?$/u;

/**
 * Returns the name by which an email may greet; undefined for what says anything else. Learners choose their names
 * on some platforms, and could have our emails say what they like.
 */
export function greetedName(fullName: string): string | undefined {
  const name = plainLine(fullName);
  const words = name.split(" ");
  const isName =
    name.length <= MAX_LENGTH && words.length <= MAX_WORDS && words.every((each) => word.test(each));
  return isName ? name : undefined;
}
