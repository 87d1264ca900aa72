import { toHex } from "#foundation/text/bytes.js";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const ZERO = "1";
const BASE = BigInt(ALPHABET.length);

/**
 * Number of digits that a JavaScript number holds exactly. Converting that many at a time avoids slow divisions of
 * large integers.
 */
const CHUNK_DIGITS = 9;
const CHUNK = BASE ** BigInt(CHUNK_DIGITS);

/** Multibase prefix of base58btc. */
const PREFIX = "z";

/**
 * Maximum number of characters to decode, because the time grows with the square of the length. Keys and signatures are
 * shorter.
 */
const MAX_LENGTH = 200;

/** Encodes bytes as multibase base58btc. */
export function toBase58(bytes: Uint8Array): string {
  const leading = bytes.findIndex((byte) => byte !== 0);
  const zeros = leading === -1 ? bytes.length : leading;
  let rest = bytes.length === zeros ? 0n : BigInt(`0x${toHex(bytes)}`);
  let digits = "";
  for (; rest >= CHUNK; rest /= CHUNK)
    digits = digitsOf(Number(rest % CHUNK)).padStart(CHUNK_DIGITS, ZERO) + digits;
  return PREFIX + ZERO.repeat(zeros) + digitsOf(Number(rest)) + digits;
}

function digitsOf(number: number): string {
  let digits = "";
  for (let rest = number; rest > 0; rest = Math.floor(rest / ALPHABET.length))
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  return digits;
}

/**
 * Decodes multibase base58btc.
 * @returns undefined if the text is not multibase base58btc, or is longer than 200 characters
 */
export function fromBase58(text: string): Uint8Array | undefined {
  if (text[0] !== PREFIX || text.length > MAX_LENGTH) return undefined;
  const digits = text.slice(1);
  let value = 0n;
  for (const digit of digits) {
    const index = ALPHABET.indexOf(digit);
    if (index === -1) return undefined;
    value = value * BASE + BigInt(index);
  }
  const zeros = digits.length - digits.replace(/^1+/, "").length;
  const hex = value === 0n ? "" : value.toString(16);
  const pairs = (hex.length % 2 === 0 ? hex : `0${hex}`).match(/../g) ?? [];
  return Uint8Array.from([
    ...Array<number>(zeros).fill(0),
    ...pairs.map((pair) => Number.parseInt(pair, 16)),
  ]);
}
