/** An encoding in which Excel, LibreOffice and their like write CSV; labels of the Encoding Standard. */
export type Encoding = (typeof encodings)[number];

export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1251",
  "windows-1256",
  "macintosh",
] as const;

/** A file that is no text, by its first bytes: `zip` may be a workbook; `workbook` is one of before 2007. */
export type NoText = "zip" | "workbook" | "binary";

/** Number of bytes by which the kind of a file is guessed. */
const GUESSED_BY = 4096;

/**
 * Guesses the encoding of a file of text. A byte order mark decides, then whether the bytes are UTF-8.
 * @param codePage that of the user's language, in which Excel writes what else it can be
 */
export function guessEncoding(bytes: Uint8Array, codePage: Encoding = "windows-1252"): Encoding {
  return byteOrderMark(bytes) ?? utf16ByNulls(bytes) ?? (isUtf8(bytes) ? "utf-8" : codePage);
}

/** Decodes a file of text, without its byte order mark. */
export function decodeText(bytes: Uint8Array, encoding = guessEncoding(bytes)): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** Returns what the file is if it can't be text. */
export function noTextOf(bytes: Uint8Array): NoText | undefined {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return "zip";
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return "workbook";
  if (byteOrderMark(bytes) || utf16ByNulls(bytes)) return undefined;
  return bytes.subarray(0, GUESSED_BY).includes(0) ? "binary" : undefined;
}

function byteOrderMark(bytes: Uint8Array): Encoding | undefined {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return "utf-8";
  if (startsWith(bytes, [0xff, 0xfe])) return "utf-16le";
  return startsWith(bytes, [0xfe, 0xff]) ? "utf-16be" : undefined;
}

/** In UTF-16, every line break and delimiter has a byte that is zero, and always the same half. */
function utf16ByNulls(bytes: Uint8Array): Encoding | undefined {
  const even = bytes.length - (bytes.length % 2);
  let [first, second] = [0, 0];
  for (let index = 0; index < Math.min(even, GUESSED_BY); index += 2) {
    if (bytes[index] === 0) first += 1;
    if (bytes[index + 1] === 0) second += 1;
  }
  if (first === 0 && second > 0) return "utf-16le";
  return second === 0 && first > 0 ? "utf-16be" : undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
