import { readShortCode } from "./short-code.js";

/** Longer texts are not searched, because no address or sentence is longer. */
const MAX_LENGTH = 20_000;
/** Maximum number of decodings: each email program that wraps a link into its own link encodes it once more. */
const MAX_DECODED = 4;

/** Characters that documents and programs print as a dash. */
export const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d-]/g;

const HEX = "[\\da-f]";
const DASHED = `${HEX}{8}-\\s*${HEX}{4}-\\s*${HEX}{4}-\\s*${HEX}{4}-\\s*${HEX}{12}`;
const START = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}])";

/**
 * Ordered from the most to the least reliable, because a text may contain other identifiers, for example the tenant in
 * links of Outlook.
 */
const patterns = [
  new RegExp(`/(?:verify|metadata)/(${DASHED}|${HEX}{32})${END}`, "giu"),
  /\/v\/([\da-z-]{26,40})(?![\p{L}\p{N}])/giu,
  new RegExp(`${START}(${DASHED})${END}`, "giu"),
  new RegExp(`${START}(${HEX}{32})${END}`, "giu"),
];

/**
 * Finds a UUID within any text: in brackets, after a label, in a sentence, or in the address of a verification page,
 * even if an email program has wrapped and percent-encoded that. The code of a short address is a UUID, too.
 * @returns the UUID in lower case with dashes; undefined if there is none, or if there are several
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
 * Reads a UUID with or without hyphens, and with spaces.
 * @returns in lower case with hyphens; undefined if the text is anything else
 */
export function readBareUuid(text: string): string | undefined {
  const digits = text.toLowerCase().replace(/[\s-]/g, "");
  if (!/^[\da-f]{32}$/.test(digits)) return undefined;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Decodes each run of percent escapes that is valid UTF-8, as often as the text still has some. */
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
