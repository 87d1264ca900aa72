import { invalid } from "#foundation/errors.js";
import { checkFilters, createInflation } from "./pdf-filters.js";
import { PRINT_TO_NEW_PDF } from "./remedies.js";

const MAX_STREAMS = 20_000;

const searchedNames = new Set([
  "ASCII85Decode",
  "ASCIIHexDecode",
  "Encrypt",
  "Filter",
  "FlateDecode",
  "LZWDecode",
  "ObjStm",
  "RunLengthDecode",
  "XRef",
]);

const ENCRYPT = /\/Encrypt(?![\w#.-])/;
const PACKED_OBJECTS = /\/(?:ObjStm|XRef)(?![\w#.-])/;

/**
 * Returns whether a PDF is encrypted but its structure is readable. In such files, only streams and strings are
 * encrypted.
 * @throws Problem `invalid` if objects are packed into encrypted streams, whose size can't be limited
 */
export function isReadablyEncrypted(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  if (!ENCRYPT.test(text)) return false;
  checkNames(text);
  if (!PACKED_OBJECTS.test(text)) return true;
  throw invalid(
    "The PDF is encrypted, and its objects are compressed: save it without a password and without restrictions.",
  );
}

/**
 * Limits the size to which a file can expand. pdf-lib would inflate object and cross-reference streams without limit.
 *
 * Parsers disagree about broken files, so parsing the file here could miss a decompression bomb. Instead, all data that
 * looks compressed after the word "stream" is inflated, up to a limit.
 * @throws Problem `invalid` if the file is encrypted, or expands too much
 */
export function checkPdfBytes(bytes: Buffer): void {
  const text = bytes.toString("latin1");
  checkNames(text);
  if (ENCRYPT.test(text)) {
    throw invalid("The PDF is encrypted or protected: save it without a password and without restrictions.");
  }
  const filters = [...text.matchAll(/\/Filter(?![!-$&'*-.0-;=?-Z\\^-z|~])/g)].map(
    ({ 0: { length }, index }) => readFilters(text.slice(index + length, index + length + 400)),
  );
  for (const names of filters) checkFilters(names);
  if (PACKED_OBJECTS.test(text) && filters.some(([first]) => first?.startsWith("ASCII"))) {
    throw invalid(
      `The PDF contains both compressed objects and ASCII-encoded parts, which can't be checked together. ${PRINT_TO_NEW_PDF}`,
    );
  }
  checkStreams(bytes);
}

/** Rejects names that are written with escapes (`/F#69lter`). Nobody escapes these names except to hide them. */
function checkNames(text: string): void {
  for (const [name] of text.matchAll(/\/[!-$&'*-.0-;=?-Z\\^-z|~]*#[!-$&'*-.0-;=?-Z\\^-z|~]*/g)) {
    const plain = name
      .slice(1)
      .replace(/#([\da-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (searchedNames.has(plain))
      throw invalid(`The PDF obscures its structure (${name.slice(0, 60)}). ${PRINT_TO_NEW_PDF}`);
  }
}

/**
 * Reads the names after the key `Filter`. Rejects a reference, because the object that it refers to may be anywhere.
 */
function readFilters(rest: string): string[] {
  const value = /^\s*(?:\/([\w.-]+)|\[((?:\s*\/[\w.-]+)*)\s*\])/.exec(rest);
  if (!value)
    throw invalid(`The PDF doesn't state clearly how one of its parts is compressed. ${PRINT_TO_NEW_PDF}`);
  // Encryption and signature handlers have a `Filter`, too, but theirs is unrelated to streams.
  if (value[1] !== undefined) return /^(?:Standard|Adobe\.|Entrust\.)/.test(value[1]) ? [] : [value[1]];
  return [...(value[2] ?? "").matchAll(/[\w.-]+/g)].map(([name]) => name);
}

function checkStreams(bytes: Buffer): void {
  const inflation = createInflation();
  let count = 0;
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    if (bytes.toString("latin1", at - 3, at) === "end") continue;
    count += 1;
    if (count > MAX_STREAMS)
      throw invalid(`The PDF has more than ${MAX_STREAMS} streams. ${PRINT_TO_NEW_PDF}`);
    let start = at + 6;
    while (start < at + 9 && [0x20, 0x0d, 0x0a].includes(bytes[start] ?? 0)) start += 1;
    if (isZlibHeader(bytes, start)) inflation.inflate(bytes.subarray(start));
  }
}

/** Returns whether the two bytes are a zlib header (RFC 1950, 2.2). */
function isZlibHeader(bytes: Buffer, at: number): boolean {
  if (at + 2 > bytes.length) return false;
  const header = bytes.readUInt16BE(at);
  return ((header >> 8) & 0x0f) === 8 && header % 31 === 0;
}
