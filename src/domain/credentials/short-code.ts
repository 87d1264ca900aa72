/**
 * Crockford's Base32 (https://www.crockford.com/base32.html) in lower case. It has no letter that is easily
 * mistaken for a digit.
 */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** 128 bits in characters of 5 bits; the first one carries 3. */
const LENGTH = 26;

const misread: Readonly<Record<string, string>> = { o: "0", i: "1", l: "1" };

/**
 * Encodes a verification UUID as 26 letters and digits. All 128 bits are kept, so the code is as hard to guess, but
 * quicker to type.
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
 * Decodes a code as a person typed it. It accepts either case, hyphens and spaces, and letters instead of
 * the digits that they resemble.
 * @returns the verification UUID in lower case; undefined if the text is not a code
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
