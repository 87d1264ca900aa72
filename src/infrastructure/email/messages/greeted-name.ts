import { plainLine } from "#foundation/text/plain-line.js";

const MAX_LENGTH = 60;
const MAX_WORDS = 6;

/** A word of a name. A dot may only end it or separate initials, because `evil.com` would become a link. */
const word = /^(?:\p{L}(?:[\p{L}\p{M}'’ʼ-]|\u200c|\u200d)*\.?|(?:\p{Lu}\.){1,4}),?$/u;

/**
 * Returns the name for a greeting; undefined if the text might not be a name. On some platforms, learners choose their
 * names, and could misuse this service's emails to send any message.
 */
export function greetedName(fullName: string): string | undefined {
  const name = plainLine(fullName);
  const words = name.split(" ");
  const isName =
    name.length <= MAX_LENGTH && words.length <= MAX_WORDS && words.every((each) => word.test(each));
  return isName ? name : undefined;
}
