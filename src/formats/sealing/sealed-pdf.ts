import { createHash } from "node:crypto";
import type { Certificate } from "./certificate.js";
import { readElement } from "./der.js";
import { ChangedError, UnknownFormError } from "./seal-errors.js";
import { OID, readSignedData, verifySignedData } from "./signed-data.js";
import { type Timestamp, verifyTimestamp } from "./timestamp-token.js";

/** Where in a PDF the last signature is, and what it covers. */
interface SealSlot {
  /** Offsets of the hexadecimal digits. */
  readonly start: number;
  readonly end: number;
  /** Offset after the last byte that is covered. */
  readonly covered: number;
}

/** Hexadecimal digits of a seal: 128 KiB, many times as much as certificates and timestamps take. */
const MAX_DIGITS = 256 * 1024;

const RANGE = /\/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/g;

/** What a signature in a PDF consists of, whether or not it can be read. */
const TRACE = /\/ByteRange\s*\[|\/Type\s*\/(?:Sig|DocTimeStamp)\b|\/SubFilter\s*\/(?:adbe|ETSI)\./;

/**
 * Finds the place of the last signature in a PDF. Our writer puts it last, so no text of a page can imitate it.
 * @param text the bytes, with a character for each
 */
function findSealSlot(pdf: Buffer, text = pdf.toString("latin1")): SealSlot | undefined {
  let last: SealSlot | undefined;
  for (const [, ...numbers] of text.matchAll(RANGE)) {
    const [before = 0, after = 0, rest = 0] = numbers.map(Number);
    if (before < after && pdf[before] === 0x3c && pdf[after - 1] === 0x3e)
      last = { start: before + 1, end: after - 1, covered: after + rest };
  }
  return last;
}

/**
 * Returns the SHA-256 of what the seal of a PDF will cover.
 * @throws Error if the PDF has no place for a seal
 */
export function digestToSeal(pdf: Buffer): Buffer {
  const slot = findSealSlot(pdf);
  if (slot?.covered !== pdf.length) throw new Error("The document has no place for a seal.");
  return digestOf(pdf, slot, "sha256");
}

/**
 * Returns the PDF with the seal in its place.
 * @param cms of at most as many bytes as the place has
 */
export function insertSeal(pdf: Buffer, cms: Buffer): Buffer {
  const slot = findSealSlot(pdf);
  if (!slot) throw new Error("The document has no place for a seal.");
  const room = (slot.end - slot.start) / 2;
  if (cms.length > room) throw new Error(`The seal has ${cms.length} bytes, and its place only ${room}.`);
  const sealed = Buffer.from(pdf);
  sealed.write(cms.toString("hex"), slot.start, "latin1");
  return sealed;
}

/** The seal of a PDF, which verifies. */
export interface ReadSeal {
  readonly certificate: Certificate;
  readonly cms: Buffer;
  /** undefined: it has none */
  readonly timestamp: Timestamp | undefined;
}

/**
 * Reads the seal of a PDF and verifies that nothing it covers has changed since, its timestamp included. It does not
 * judge whether the certificate can be trusted.
 * @returns undefined if the PDF has no seal
 * @throws RangeError saying what is wrong with the seal, such as "is not in hexadecimal"
 * @throws ChangedError if the file was changed since
 * @throws UnknownFormError if it can't be verified here
 */
export function readSeal(pdf: Uint8Array): ReadSeal | undefined {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const text = bytes.toString("latin1");
  const slot = findSealSlot(bytes, text);
  if (!slot) {
    if (TRACE.test(text)) throw new RangeError("can't be found where the file says that it is");
    return undefined;
  }
  if (slot.covered < bytes.length) throw new ChangedError("does not cover the whole file");
  if (slot.covered > bytes.length) throw new ChangedError("covers more than the file still has");
  if (slot.end - slot.start > MAX_DIGITS) throw new RangeError("is larger than any seal");
  const digits = bytes.toString("latin1", slot.start, slot.end);
  if (!/^(?:[\da-f]{2})+$/i.test(digits)) throw new RangeError("is not in hexadecimal");
  const filled = Buffer.from(digits, "hex");
  const { derBytes: cms } = readElement(filled);
  if (filled.subarray(cms.length).some((byte) => byte !== 0))
    throw new RangeError("is followed by other bytes");
  const data = readSignedData(cms);
  if (data.contentType !== OID.data || data.content)
    throw new UnknownFormError("is not a detached signature, but perhaps a timestamp of the whole document");
  verifySignedData(data, (algorithm) => digestOf(bytes, slot, algorithm));
  const { certificate, signature, unsigned } = data.signer;
  const token = unsigned.get(OID.timestampToken);
  return { certificate, cms, timestamp: token && timestampIn(token.derBytes, signature) };
}

function timestampIn(token: Buffer, signature: Buffer): Timestamp {
  try {
    return verifyTimestamp(token, signature);
  } catch (error) {
    if (!(error instanceof RangeError) || error instanceof UnknownFormError) throw error;
    throw new RangeError(`has a timestamp that ${error.message}`, { cause: error });
  }
}

/** Everything but the string with the signature is covered, its angle brackets excluded. */
function digestOf(pdf: Buffer, { start, end, covered }: SealSlot, algorithm: string): Buffer {
  const hash = createHash(algorithm);
  return hash
    .update(pdf.subarray(0, start - 1))
    .update(pdf.subarray(end + 1, covered))
    .digest();
}
