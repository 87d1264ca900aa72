/** Crockford's Base32 (https://www.crockford.com/base32.html), in lower case: no letter that a digit is taken for. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** 128 bits in letters of 5: the first has 3. */
const LENGTH = 26;

const misread: Readonly<Record<string, string>> = { o: "0", i: "1", l: "1" };

/**
 * A verification UUID in 26 letters and digits, all of its 128 bits: no easier to guess, and quicker to type.
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
 * The verification UUID of a code, as somebody has typed it: in either case, with hyphens or spaces, and with letters in place of the
 * digits that they look like.
 * @returns in lower case; undefined for what is no code
 */
export function readShortCode(text: string): string | undefined {
  const typed = text.toLowerCase().replace(/[\s-]/g, "");
  if (typed.length !== LENGTH) return undefined;
  let value = 0n;
  for (const letter of typed) {
    const digit = alphabet.indexOf(misread[letter] ?? letter);
    if (digit < 0) return undefined;
    value = (value << 5n) | BigInt(digit);
  }
  const hex = value.toString(16).padStart(32, "0");
  if (hex.length > 32) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
