import { uuidOfHex } from "#foundation/text/uuid-of-hex.js";
import { readShortCode } from "./short-code.js";

/** Maximum number of characters. Addresses and sentences are shorter. */
const MAX_LENGTH = 20_000;
/**
 * Maximum number of times that a text is decoded. Whenever an email program puts a link into a link of its own, it
 * encodes the inner link once more.
 */
const MAX_DECODED = 4;

/** Characters that documents and programs print as a dash. */
export const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d-]/g;

const HEX = "[\\da-f]";
const DASHED = `${HEX}{8}-\\s*${HEX}{4}-\\s*${HEX}{4}-\\s*${HEX}{4}-\\s*${HEX}{12}`;
const START = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}])";

/**
 * Patterns, the most reliable first, because a text may contain other identifiers, for example the tenant in links of
 * Outlook.
 */
const patterns = [
  new RegExp(`/(?:verify|metadata)/(${DASHED}|${HEX}{32})${END}`, "giu"),
  /\/v\/([\da-z-]{26,40})(?![\p{L}\p{N}])/giu,
  new RegExp(`${START}(${DASHED})${END}`, "giu"),
  new RegExp(`${START}(${HEX}{32})${END}`, "giu"),
];

/**
 * Finds a UUID within any text: in brackets, after a label, in a sentence, or in the address of a verification page,
 * even if an email program has wrapped and percent-encoded that address. Also reads the code of a short address, which
 * encodes a UUID.
 * @returns lower case with dashes; undefined if the text contains no UUID or several
 */
export function findUuid(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const plain = decoded(text)
    .replace(/\p{Cf}/gu, "")
    .replace(dashes, "-");
  for (const pattern of patterns) {
    const found = new Set(
      Array.from(plain.matchAll(pattern), ([, each = ""]) => readUuid(each)).filter(
        (each) => each !== undefined,
      ),
    );
    if (found.size > 0) return found.size === 1 ? [...found][0] : undefined;
  }
  return undefined;
}

function readUuid(text: string): string | undefined {
  return readBareUuid(text) ?? readShortCode(text);
}

/**
 * Reads a text that is a UUID, with or without hyphens and spaces.
 * @returns lower case with hyphens; undefined for any other text
 */
export function readBareUuid(text: string): string | undefined {
  const digits = text.toLowerCase().replace(/[\s-]/g, "");
  if (!/^[\da-f]{32}$/.test(digits)) return undefined;
  return uuidOfHex(digits);
}

/** Repeatedly decodes percent escapes that are valid UTF-8, because links may be nested. */
function decoded(text: string): string {
  let plain = text;
  for (let time = 0; time < MAX_DECODED && plain.includes("%"); time++) {
    plain = plain.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes);
      } catch {
        return escapes;
      }
    });
  }
  return plain;
}
