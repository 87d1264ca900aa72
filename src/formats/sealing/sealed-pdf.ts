import { createHash } from "node:crypto";
import type { Certificate } from "./certificate.js";
import { readElement } from "./der.js";
import { ChangedError, UnknownFormError } from "./seal-errors.js";
import { OID, readSignedData, verifySignedData } from "./signed-data.js";
import { type Timestamp, verifyTimestamp } from "./timestamp-token.js";

/** The position of the last signature in a PDF. */
interface SealSlot {
  /** Offset of the hex digits. */
  readonly start: number;
  readonly end: number;
  /** Offset of the end of the covered range. */
  readonly covered: number;
}

/** Maximum number of hex digits of a seal (128 KiB). Certificates and timestamps need far fewer. */
const MAX_DIGITS = 256 * 1024;

const RANGE = /\/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/g;

/** Matches parts of a signature in a PDF, even of a signature that can't be read. */
const SIGNATURE_TRACE = /\/ByteRange\s*\[|\/Type\s*\/(?:Sig|DocTimeStamp)\b|\/SubFilter\s*\/(?:adbe|ETSI)\./;

/**
 * Finds the last signature in a PDF. This service writes the signature last, so no text on a page can imitate it.
 * @param text the bytes as Latin-1
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
 * Returns the SHA-256 of the bytes that the seal will cover.
 * @throws Error if the PDF has no reserved space
 */
export function digestToSeal(pdf: Buffer): Buffer {
  const slot = findSealSlot(pdf);
  if (slot?.covered !== pdf.length) throw new Error("The document has no place for a seal.");
  return digestOf(pdf, slot, "sha256");
}

/** @param cms must fit into the reserved space */
export function insertSeal(pdf: Buffer, cms: Buffer): Buffer {
  const slot = findSealSlot(pdf);
  if (!slot) throw new Error("The document has no place for a seal.");
  const room = (slot.end - slot.start) / 2;
  if (cms.length > room)
    throw new Error(`The seal has ${cms.length} bytes, but there is room for only ${room}.`);
  const sealed = Buffer.from(pdf);
  sealed.write(cms.toString("hex"), slot.start, "latin1");
  return sealed;
}

/** A verified seal. */
interface ReadSeal {
  readonly certificate: Certificate;
  readonly cms: Buffer;
  readonly timestamp: Timestamp | undefined;
}

/**
 * Reads the seal of a PDF. Verifies its timestamp, and that nothing covered by the seal has changed since sealing.
 * Doesn't check whether the certificate can be trusted.
 * @returns undefined if the PDF has no seal
 * @throws RangeError that describes the problem, for example "is not encoded in hexadecimal"
 * @throws ChangedError if the file was changed after sealing
 * @throws UnknownFormError if the form of the seal is not supported
 */
export function readSeal(pdf: Uint8Array): ReadSeal | undefined {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const text = bytes.toString("latin1");
  const slot = findSealSlot(bytes, text);
  if (!slot) {
    if (SIGNATURE_TRACE.test(text)) throw new RangeError("can't be found where the file says that it is");
    return undefined;
  }
  if (slot.covered < bytes.length) throw new ChangedError("does not cover the whole file");
  if (slot.covered > bytes.length) throw new ChangedError("covers more bytes than the file has");
  if (slot.end - slot.start > MAX_DIGITS) throw new RangeError("is larger than any valid seal");
  const digits = bytes.toString("latin1", slot.start, slot.end);
  if (!/^(?:[\da-f]{2})+$/i.test(digits)) throw new RangeError("is not encoded in hexadecimal");
  const filled = Buffer.from(digits, "hex");
  const { derBytes: cms } = readElement(filled);
  if (filled.subarray(cms.length).some((byte) => byte !== 0))
    throw new RangeError("is followed by other bytes");
  const data = readSignedData(cms);
  if (data.contentType !== OID.data || data.content)
    throw new UnknownFormError("is not a detached signature; it may be a timestamp of the whole document");
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

/** Hashes everything except the signature's hex string and its angle brackets. */
function digestOf(pdf: Buffer, { start, end, covered }: SealSlot, algorithm: string): Buffer {
  const hash = createHash(algorithm);
  return hash
    .update(pdf.subarray(0, start - 1))
    .update(pdf.subarray(end + 1, covered))
    .digest();
}
