import { uuidOfHex } from "#foundation/text/uuid-of-hex.js";

/** Crockford's Base32 (https://www.crockford.com/base32.html) in lower case, without letters that look like digits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** 128 bits, with 5 bits per character and 3 in the first. */
const LENGTH = 26;

const CONFUSABLE_LETTERS: Readonly<Record<string, string>> = { o: "0", i: "1", l: "1" };

/**
 * Encodes a verification UUID as 26 letters and digits. The code is as hard to guess as the UUID, but quicker to type.
 * @param verifyUuid in either case
 */
export function shortCodeOf(verifyUuid: string): string {
  let rest = BigInt(`0x${verifyUuid.replaceAll("-", "")}`);
  let code = "";
  for (let digit = 0; digit < LENGTH; digit++) {
    code = alphabet.charAt(Number(rest & 31n)) + code;
    rest >>= 5n;
  }
  return code;
}

/**
 * Decodes a code that someone typed: in either case, with hyphens and spaces, and with letters instead of similar
 * digits.
 * @returns the verification UUID in lower case; undefined if the text is not a code
 */
export function readShortCode(text: string): string | undefined {
  const typed = text.toLowerCase().replace(/[\s-]/g, "");
  if (typed.length !== LENGTH) return undefined;
  let value = 0n;
  for (const letter of typed) {
    const digit = alphabet.indexOf(CONFUSABLE_LETTERS[letter] ?? letter);
    if (digit < 0) return undefined;
    value = (value << 5n) | BigInt(digit);
  }
  const hex = value.toString(16).padStart(32, "0");
  if (hex.length > 32) return undefined;
  return uuidOfHex(hex);
}
