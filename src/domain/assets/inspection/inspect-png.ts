import { crc32, inflateSync } from "node:zlib";
import { invalid } from "#foundation/errors.js";
import { saveAgainAs } from "./remedies.js";

/**
 * Maximum size of the compressed pixels, in bytes. pdf-lib, which embeds the image, decompresses all pixels and
 * compresses them again. 6 MB of noise take about 0.3 s.
 */
const MAX_COMPRESSED = 6 * 1024 * 1024;
/** Maximum size of decompressed pixels with transparency, in bytes. pdf-lib takes about 0.6 s for 10 MB. */
const MAX_TRANSPARENT = 10_000_000;
/** Maximum number of pixels in any image. Viewers of the credential decode all of them. */
const MAX_PIXELS = 40_000_000;
const MAX_CHUNKS = 10_000;
/** Maximum size of a text that is stored uncompressed (`tEXt`), in bytes. pdf-lib could read 1 MB without error. */
const MAX_TEXT = 65_536;
/** Maximum size of a decompressed colour profile, in bytes. Profiles for printing presses can have several megabytes. */
const MAX_PROFILE = 4 * 1024 * 1024;
/** Maximum size of all decompressed texts, in bytes. pdf-lib reads 1 MB in 100 ms. */
const MAX_TEXTS = 1024 * 1024;

const SIGNATURE_LENGTH = 8;
const SAVE_AGAIN = saveAgainAs("PNG");

/** Channels and allowed bit depths of each colour type (PNG specification, 11.2.1). */
const colorTypes = new Map<number, { channels: number; depths: readonly number[] }>([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);
const PALETTE = 3;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
  readonly bitsPerPixel: number;
}

/** Checks with limited effort whether pdf-lib can draw the image correctly. @throws Problem `invalid` */
export function inspectPng(bytes: Buffer): void {
  const chunks = readChunks(bytes);
  const header = readHeader(chunks);
  checkPalette(header, chunks);
  if (chunks.some(({ type }) => type === "acTL" || type === "fcTL")) {
    throw invalid("The PNG is animated: save a single frame of it.");
  }
  checkTexts(chunks);
  checkProfile(chunks);
  checkPixels(header, chunks);
}

/** @throws Problem `invalid` for a wrong checksum, or for data after the chunks (PNG specification, 5.3) */
function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  let at = SIGNATURE_LENGTH;
  while (chunks.at(-1)?.type !== "IEND") {
    if (at + 12 > bytes.length)
      throw invalid(`The PNG ends early, after ${bytes.length} bytes. ${SAVE_AGAIN}`);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw invalid(`The PNG ends early, after ${bytes.length} bytes. ${SAVE_AGAIN}`);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      throw invalid(`The PNG is damaged: the checksum at byte ${end - 4} is wrong. ${SAVE_AGAIN}`);
    }
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, end - 4) });
    if (chunks.length > MAX_CHUNKS) throw invalid(`The PNG has more than ${MAX_CHUNKS} parts. ${SAVE_AGAIN}`);
    at = end;
  }
  if (at < bytes.length) {
    throw invalid(`The PNG is followed by ${bytes.length - at} bytes of other data. ${SAVE_AGAIN}`);
  }
  return chunks;
}

function readHeader(chunks: readonly Chunk[]): Header {
  const [first, ...others] = chunks;
  if (first?.type !== "IHDR" || first.data.length !== 13 || others.some(({ type }) => type === "IHDR")) {
    throw invalid(`The PNG doesn't begin with one header. ${SAVE_AGAIN}`);
  }
  const width = first.data.readUInt32BE(0);
  const height = first.data.readUInt32BE(4);
  const [depth = 0, colorType = 0, compression, filter, interlacing] = first.data.subarray(8);
  const color = colorTypes.get(colorType);
  if (!color?.depths.includes(depth) || compression !== 0 || filter !== 0) {
    throw invalid(`The PNG has a colour type or compression that doesn't exist. ${SAVE_AGAIN}`);
  }
  if (interlacing !== 0) throw invalid("The PNG is interlaced: save it without interlacing.");
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) {
    throw invalid(
      `The PNG has ${width} x ${height} pixels: reduce it to at most ${MAX_PIXELS / 1e6} million pixels.`,
    );
  }
  return { width, height, depth, colorType, bitsPerPixel: color.channels * depth };
}

/**
 * Rejects invalid palettes, and uses of transparent colours that not every program draws correctly. pdf-lib 2.11 ignores
 * the transparent colour of a grey image with 1, 2 or 4 bits per pixel. It draws the other images correctly.
 */
function checkPalette({ colorType, depth }: Header, chunks: readonly Chunk[]): void {
  const palettes = chunks.filter(({ type }) => type === "PLTE");
  const transparencies = chunks.filter(({ type }) => type === "tRNS");
  const [palette] = palettes;
  const [transparency] = transparencies;
  if (palettes.length > 1 || transparencies.length > 1)
    throw invalid(`The PNG has two palettes. ${SAVE_AGAIN}`);
  if (colorType !== PALETTE) {
    if (palette) throw invalid("The PNG has both full colours and a palette: save it without a palette.");
    if (transparency) {
      throw invalid(
        "The PNG has one transparent colour: save it with an alpha channel, or without transparency.",
      );
    }
    return;
  }
  const colors = (palette?.data.length ?? 0) / 3;
  if (!Number.isInteger(colors) || colors < 1 || colors > 2 ** depth) {
    throw invalid(`The PNG has no valid palette. ${SAVE_AGAIN}`);
  }
  if (!transparency) return;
  if (transparency.data.length > colors) throw invalid(`The PNG has no valid palette. ${SAVE_AGAIN}`);
  // pdf-lib draws these images correctly. Other programs, for example pdfkit 0.20, don't: they treat each byte as one
  // pixel, or draw index 255 as transparent although the tRNS chunk doesn't contain it.
  if (depth < 8 || (colors === 256 && transparency.data.length < 256)) {
    throw invalid("The PNG has a palette with transparent colours: save it in full colour (RGBA).");
  }
}

function checkTexts(chunks: readonly Chunk[]): void {
  if (chunks.some(({ type, data }) => type === "tEXt" && data.length > MAX_TEXT)) {
    throw invalid(
      `The PNG's metadata contains a text of more than ${MAX_TEXT} characters. Save it without metadata.`,
    );
  }
  let left = MAX_TEXTS;
  for (const chunk of chunks.filter(({ type }) => ["tEXt", "zTXt", "iTXt"].includes(type))) {
    left -= unpackedText(chunk, left);
    if (left <= 0) throw tooMuchText();
  }
}

/** Returns the length of a decompressed text in bytes (PNG specification, 11.3.3). */
function unpackedText({ type, data }: Chunk, most: number): number {
  const end = data.indexOf(0);
  const isPacked = type === "zTXt" || (type === "iTXt" && data[end + 1] !== 0);
  if (!isPacked) return data.length;
  const start = type === "zTXt" ? end + 2 : data.indexOf(0, data.indexOf(0, end + 3) + 1) + 1;
  try {
    return inflateSync(data.subarray(start), { maxOutputLength: most }).length;
  } catch (error) {
    throw tooMuchText(error);
  }
}

/**
 * Checks the size of the decompressed colour profile. Credentials don't contain it, but other programs that open the
 * file decompress it.
 */
function checkProfile(chunks: readonly Chunk[]): void {
  const profile = chunks.find(({ type }) => type === "iCCP")?.data;
  if (profile === undefined) return;
  try {
    inflateSync(profile.subarray(profile.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE });
  } catch (error) {
    throw invalid(
      `The PNG's colour profile is damaged or larger than ${MAX_PROFILE / 1024 / 1024} MiB. Save it without metadata.`,
      error,
    );
  }
}

function tooMuchText(cause?: unknown): Error {
  return invalid(
    `The PNG's text metadata is damaged or larger than ${MAX_TEXTS / 1024 / 1024} MiB in total. Save it without metadata.`,
    cause,
  );
}

function checkPixels(header: Header, chunks: readonly Chunk[]): void {
  const { width, height, bitsPerPixel, colorType } = header;
  const parts = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
  const isOpaque = colorType < 4 && !chunks.some(({ type }) => type === "tRNS");
  if (!isOpaque && (width * height * bitsPerPixel) / 8 > MAX_TRANSPARENT) {
    const most = (MAX_TRANSPARENT * 8) / bitsPerPixel / 1e6;
    throw invalid(
      `The PNG has transparency and ${width} x ${height} pixels: reduce it to at most ${most} million pixels in ` +
        "all, or save it without transparency.",
    );
  }
  const compressed = Buffer.concat(parts);
  if (compressed.length > MAX_COMPRESSED) {
    throw invalid(
      `The PNG has ${Math.ceil(compressed.length / 1024)} KiB of pixels; at most ${MAX_COMPRESSED / 1024} are accepted: ` +
        "save it as JPEG, or make it smaller.",
    );
  }
  // Each row starts with the number of its filter (PNG specification, 7.2 and 9.2).
  const rowLength = 1 + Math.ceil((width * bitsPerPixel) / 8);
  const rows = inflateExactly(compressed, rowLength * height);
  for (let at = 0; at < rows.length; at += rowLength) {
    if ((rows[at] ?? 0) > 4) throw invalid(`The PNG is damaged in row ${at / rowLength + 1}. ${SAVE_AGAIN}`);
  }
}

function inflateExactly(compressed: Buffer, length: number): Buffer {
  try {
    const rows = inflateSync(compressed, { maxOutputLength: length, chunkSize: 1024 * 1024 });
    if (rows.length === length) return rows;
  } catch (error) {
    throw invalid(
      `The pixels of the PNG are damaged, or there are more pixels than it declares. ${SAVE_AGAIN}`,
      error,
    );
  }
  throw invalid(`The PNG contains fewer pixels than it declares. ${SAVE_AGAIN}`);
}
