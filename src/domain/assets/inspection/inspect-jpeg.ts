import { invalid } from "#foundation/errors.js";
import { saveAgainAs } from "./remedies.js";

/** Maximum number of pixels. pdf-lib embeds the file unchanged, so viewers of the credential decode all of them. */
const MAX_PIXELS = 40_000_000;
/** Maximum number of scans. A viewer processes all pixels for each scan of a progressive image. */
const MAX_SCANS = 100;

const SAVE_AGAIN = saveAgainAs("JPEG");

/** Second bytes of markers (ITU T.81, table B.1). */
const marker = { DHT: 0xc4, SOI: 0xd8, EOI: 0xd9, SOS: 0xda, DQT: 0xdb, DNL: 0xdc } as const;

/** Frame headers that PDF viewers understand: baseline, extended sequential, progressive. */
const supportedFrames = new Set([0xc0, 0xc1, 0xc2]);
const otherFrames = new Map([
  [0xc3, "lossless"],
  [0xc5, "hierarchical"],
  [0xc6, "hierarchical"],
  [0xc7, "hierarchical"],
  [0xc9, "arithmetic"],
  [0xca, "arithmetic"],
  [0xcb, "arithmetic"],
  [0xcd, "arithmetic"],
  [0xce, "arithmetic"],
  [0xcf, "arithmetic"],
]);

/**
 * Checks that every PDF viewer can show the image, and that the file is complete. Its pixels are not decoded.
 * @throws Problem `invalid`
 */
export function inspectJpeg(bytes: Buffer): void {
  const found = new Set<number>();
  let scans = 0;
  let frame: Frame | undefined;
  let at = 2; // after SOI
  for (;;) {
    const code = readMarker(bytes, at);
    if (code === marker.EOI) break;
    const segment = readSegment(bytes, at + 2);
    at += 2 + segment.length;
    found.add(code);
    if (otherFrames.has(code)) {
      throw invalid(
        `The JPEG has ${otherFrames.get(code)} coding: save it as a baseline or progressive JPEG.`,
      );
    }
    if (supportedFrames.has(code)) {
      if (frame) throw invalid(`The JPEG has two frames. ${SAVE_AGAIN}`);
      frame = readFrame(segment);
    }
    if (code === marker.SOS) {
      scans += 1;
      checkScan(segment, frame, found);
      at = endOfScan(bytes, at);
    }
    if (scans > MAX_SCANS) throw invalid(`The JPEG has more than ${MAX_SCANS} scans. ${SAVE_AGAIN}`);
  }
  if (!frame || scans === 0) throw invalid(`The JPEG contains no picture. ${SAVE_AGAIN}`);
  checkTrailingData(bytes.subarray(at + 2));
}

function readMarker(bytes: Buffer, at: number): number {
  const code = bytes[at + 1];
  if (code === undefined) throw endsEarly(bytes);
  // 0xff is allowed before a marker as padding, but pdf-lib takes it for a marker. RSTn, SOI and TEM are not allowed
  // here.
  if (bytes[at] !== 0xff || code < marker.DHT - 4 || code === 0xff || (code >= 0xd0 && code <= marker.SOI)) {
    throw invalid(`The JPEG is damaged at byte ${at}. ${SAVE_AGAIN}`);
  }
  return code;
}

/** Returns a segment, including the two bytes of its length at the start. */
function readSegment(bytes: Buffer, at: number): Buffer {
  if (at + 2 > bytes.length) throw endsEarly(bytes);
  const length = bytes.readUInt16BE(at);
  if (length < 2) throw invalid(`The JPEG is damaged at byte ${at}. ${SAVE_AGAIN}`);
  if (at + length > bytes.length) throw endsEarly(bytes);
  return bytes.subarray(at, at + length);
}

interface Frame {
  readonly components: readonly number[];
}

/** Reads a frame header (ITU T.81, B.2.2). */
function readFrame(segment: Buffer): Frame {
  if (segment.length < 8) throw invalid(`The JPEG has a broken frame header. ${SAVE_AGAIN}`);
  const precision = segment.readUInt8(2);
  const height = segment.readUInt16BE(3);
  const width = segment.readUInt16BE(5);
  const count = segment.readUInt8(7);
  if (precision !== 8) throw invalid(`The JPEG has ${precision} bits per colour: save it with 8.`);
  if (count === 4)
    throw invalid("The JPEG is in CMYK, but the documents of this service use sRGB: convert it to sRGB.");
  if ((count !== 1 && count !== 3) || segment.length !== 8 + 3 * count) {
    throw invalid(`The JPEG has ${count} colour components: save it in sRGB or in grey.`);
  }
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) {
    throw invalid(
      `The JPEG has ${width} x ${height} pixels: reduce it to at most ${MAX_PIXELS / 1e6} million pixels.`,
    );
  }
  const specifications = Array.from({ length: count }, (_, i) => segment.subarray(8 + 3 * i, 11 + 3 * i));
  for (const [, sampling = 0] of specifications) {
    const [horizontal, vertical] = [sampling >> 4, sampling & 15];
    if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) {
      throw invalid(`The JPEG has a broken frame header. ${SAVE_AGAIN}`);
    }
  }
  return { components: specifications.map(([id = 0]) => id) };
}

/** Checks a scan header (ITU T.81, B.2.3). */
function checkScan(segment: Buffer, frame: Frame | undefined, found: ReadonlySet<number>): void {
  const count = segment[2] ?? 0;
  const ids = Array.from({ length: count }, (_, i) => segment[3 + 2 * i]);
  const isSound = count >= 1 && count <= 4 && segment.length === 6 + 2 * count;
  if (!isSound || !frame || ids.some((id) => id === undefined || !frame.components.includes(id))) {
    throw invalid(`The JPEG has a broken scan. ${SAVE_AGAIN}`);
  }
  if (!found.has(marker.DHT) || !found.has(marker.DQT)) {
    throw invalid(`The JPEG lacks tables that are needed to decode its pixels. ${SAVE_AGAIN}`);
  }
}

/** Returns the position of the next marker. In coded pixels, 0xff is followed by 0 or the code of a restart marker. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const code = bytes[at + 1];
    if (code === undefined) break;
    if (code === marker.DNL) throw invalid(`The header of the JPEG doesn't state its height. ${SAVE_AGAIN}`);
    if (code !== 0 && (code < 0xd0 || code > 0xd7)) return at;
  }
  throw endsEarly(bytes);
}

/**
 * Allows further pictures and zeros after the image, because cameras append them. Rejects anything else, which could be
 * a second, hidden file.
 */
function checkTrailingData(rest: Buffer): void {
  const isPicture = rest.length > 2 && rest.readUInt16BE(0) === 0xffd8;
  if (!isPicture && rest.some((byte) => byte !== 0)) {
    throw invalid(`The JPEG is followed by ${rest.length} bytes of other data. ${SAVE_AGAIN}`);
  }
}

function endsEarly(bytes: Buffer): Error {
  return invalid(`The JPEG ends early, after ${bytes.length} bytes. ${SAVE_AGAIN}`);
}
