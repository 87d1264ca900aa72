import { decode, decodedTwice, type Encoding, encodings, encodingsByWritingSystem } from "./encodings.js";

/**
 * Kind of a file that isn't text, by its first bytes. `zip` may be a workbook; `workbook` is a workbook in the format
 * from before 2007.
 */
export type NonTextKind = "zip" | "workbook" | "binary";

/** Why a decoded text is wrong: it has a different encoding than stated, or was damaged when it was saved. */
export type TextFault = "wrongEncoding" | "lostCharacters" | "decodedTwice" | "binary";

/** Some cells of a file, decoded in one or more encodings with the same result. Other encodings give other letters. */
export interface Reading {
  /** The encodings that give these cells, most common first. */
  readonly encodings: readonly Encoding[];
  readonly cells: readonly string[];
}

/** Number of bytes from which the kind of a file is guessed. */
const DETECTION_BYTES = 4096;

/** Approximate number of bytes to decode for readings, and number and length of the cells in each reading. */
const SAMPLE = 64 * 1024;
const SHOWN_CELLS = 8;
const SHOWN_CHARACTERS = 60;

/**
 * Detects UTF-8 and UTF-16, by the byte order mark, by zero bytes (UTF-16), or by whether the bytes are valid (UTF-8).
 * @returns undefined for other encodings. Only people can distinguish them, by looking at names
 */
export function detectEncoding(bytes: Uint8Array): Encoding | undefined {
  const marked = byteOrderMark(bytes) ?? utf16ByNulls(bytes);
  if (marked) return marked;
  return decode(bytes, "utf-8") !== undefined && !isIso2022(bytes) ? "utf-8" : undefined;
}

export function decodeText(
  bytes: Uint8Array,
  encoding: Encoding,
): { readonly text: string } | { readonly fault: TextFault } {
  const text = decode(bytes, encoding);
  if (text === undefined) return { fault: "wrongEncoding" };
  const fault = faultOfText(text);
  if (fault === "lostCharacters" && !isUnicode(encoding)) return { fault: "wrongEncoding" };
  return fault ? { fault } : { text };
}

/** Returns why a text doesn't contain names as they were written. */
export function faultOfText(text: string): TextFault | undefined {
  if (text.includes("\0")) return "binary";
  // These control characters are left when letters of other encodings are decoded as Latin-1.
  if (/[\u0080-\u009f\ufffd]/.test(text)) return "lostCharacters";
  return decodedTwice(text) === undefined ? undefined : "decodedTwice";
}

/** The common Windows encodings, one per script. */
const usual = Object.values(encodingsByWritingSystem).map(([first]) => first);

/**
 * Returns the possible readings of a file in different encodings, most likely first.
 * @param codePage the usual encoding in the reader's language
 */
export function readingsOf(bytes: Uint8Array, codePage: Encoding = "windows-1252"): Reading[] {
  const sample = sampleOf(bytes);
  const readings = new Map<string, { encodings: Encoding[]; cells: string[] }>();
  for (const encoding of new Set([codePage, ...usual, ...encodings])) {
    if (isUnicode(encoding)) continue;
    const decoded = decodeText(sample, encoding);
    if ("fault" in decoded) continue;
    const sameText = readings.get(decoded.text);
    if (sameText) sameText.encodings.push(encoding);
    else readings.set(decoded.text, { encodings: [encoding], cells: informativeCells(decoded.text) });
  }
  return [...readings.values()].filter(({ cells }) => cells.length > 0);
}

/** Returns the kind of a file that isn't text; undefined if it may be text. */
export function nonTextKindOf(bytes: Uint8Array): NonTextKind | undefined {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return "zip";
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return "workbook";
  if (byteOrderMark(bytes) || utf16ByNulls(bytes)) return undefined;
  return bytes.subarray(0, DETECTION_BYTES).includes(0) ? "binary" : undefined;
}

/**
 * Returns lines that together contain every non-ASCII byte value that occurs in the file, because single-byte encodings
 * differ only in these bytes. All encodings except UTF-16 have the same line breaks.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  const seen = new Uint8Array(256);
  let [size, start, isAscii, isNew] = [0, 0, true, false];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte > 0x7f || byte === 0x1b) {
      isAscii = false;
      isNew ||= seen[byte] === 0;
      seen[byte] = 1;
    }
    if (byte !== 0x0a && byte !== 0x0d && index + 1 < bytes.length) continue;
    if (isNew || (!isAscii && size < SAMPLE)) {
      const line = bytes.subarray(start, Math.min(index + 1, start + SAMPLE));
      lines.push(line);
      size += line.length;
    }
    [start, isAscii, isNew] = [index + 1, true, false];
  }
  const sample = new Uint8Array(size);
  let at = 0;
  for (const line of lines) {
    sample.set(line, at);
    at += line.length;
  }
  return sample;
}

/** Returns cells with as many different non-ASCII letters as possible, because encodings differ in these letters. */
function informativeCells(text: string): string[] {
  const seen = new Set<string>();
  const cells: string[] = [];
  for (const cell of text.split(/[\t\r\n;,|"]/)) {
    const letters = cell.match(/[^\0-\x7f]/gu) ?? [];
    if (letters.every((letter) => seen.has(letter))) continue;
    for (const letter of letters) seen.add(letter);
    if (cells.push(cell.trim().slice(0, SHOWN_CHARACTERS)) === SHOWN_CELLS) break;
  }
  return cells;
}

function byteOrderMark(bytes: Uint8Array): Encoding | undefined {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return "utf-8";
  if (startsWith(bytes, [0xff, 0xfe])) return "utf-16le";
  return startsWith(bytes, [0xfe, 0xff]) ? "utf-16be" : undefined;
}

/**
 * Detects UTF-16 without a byte order mark. In all line breaks and delimiters, the same one of the two bytes is zero.
 */
function utf16ByNulls(bytes: Uint8Array): Encoding | undefined {
  if (bytes.length % 2 === 1) return undefined;
  let [first, second] = [0, 0];
  for (let index = 0; index < Math.min(bytes.length, DETECTION_BYTES); index += 2) {
    if (bytes[index] === 0) first += 1;
    if (bytes[index + 1] === 0) second += 1;
  }
  if (first === 0 && second > 0) return "utf-16le";
  return second === 0 && first > 0 ? "utf-16be" : undefined;
}

function isUnicode(encoding: Encoding): boolean {
  return encodingsByWritingSystem.unicode.some((each) => each === encoding);
}

/** ISO-2022-JP consists only of ASCII bytes and escape sequences. */
function isIso2022(bytes: Uint8Array): boolean {
  return bytes.includes(0x1b);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
