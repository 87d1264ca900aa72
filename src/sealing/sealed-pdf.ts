import { createHash } from "node:crypto";
import type { Certificate } from "./certificate.js";
import { readElement } from "./der.js";
import { OID, readSignedData, verifySignedData } from "./signed-data.js";
import { type Timestamp, verifyTimestamp } from "./timestamp-token.js";

/** Where in a PDF the last signature is, and what it covers. */
interface SealPlace {
  /** Offsets of the hexadecimal digits. */
  readonly start: number;
  readonly end: number;
  /** Offset after the last byte that is covered. */
  readonly covered: number;
}

/** Hexadecimal digits of a seal: 128 KiB, many times as much as certificates and timestamps take. */
const MAX_DIGITS = 256 * 1024;

const MARK = "/ByteRange [";
const RANGE = /^\/ByteRange \[ *0 +(\d{1,10}) +(\d{1,10}) +(\d{1,10}) *\]/;

/** Finds the place of the last signature in a PDF. Our writer puts it last, so no text of a page can imitate it. */
function placeIn(pdf: Buffer): SealPlace | undefined {
  const at = pdf.lastIndexOf(MARK);
  const found = at === -1 ? undefined : RANGE.exec(pdf.toString("latin1", at, at + 64));
  if (!found) return undefined;
  const [before = 0, after = 0, rest = 0] = found.slice(1).map(Number);
  const covered = after + rest;
  const isHole = pdf[before] === 0x3c && pdf[after - 1] === 0x3e && before < after;
  return isHole && covered <= pdf.length ? { start: before + 1, end: after - 1, covered } : undefined;
}

/**
 * Returns the SHA-256 of what the seal of a PDF will cover.
 * @throws Error if the PDF has no place for a seal
 */
export function digestToSeal(pdf: Buffer): Buffer {
  const place = placeIn(pdf);
  if (place?.covered !== pdf.length) throw new Error("The document has no place for a seal.");
  return digestOf(pdf, place, "sha256");
}

/**
 * Returns the PDF with the seal in its place.
 * @param cms of at most as many bytes as the place has
 */
export function insertSeal(pdf: Buffer, cms: Buffer): Buffer {
  const place = placeIn(pdf);
  if (!place) throw new Error("The document has no place for a seal.");
  const room = (place.end - place.start) / 2;
  if (cms.length > room) throw new Error(`The seal has ${cms.length} bytes, and its place only ${room}.`);
  const sealed = Buffer.from(pdf);
  sealed.write(cms.toString("hex"), place.start, "latin1");
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
 * Reads the seal of a PDF and verifies that nothing has changed since, its timestamp included. It does not judge
 * whether the certificate can be trusted.
 * @returns undefined if the PDF has no seal
 * @throws RangeError saying what is wrong with the seal, such as "does not cover the whole file"
 */
export function readSeal(pdf: Uint8Array): ReadSeal | undefined {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const place = placeIn(bytes);
  if (!place) return undefined;
  if (place.covered !== bytes.length) throw new RangeError("does not cover the whole file");
  if (place.end - place.start > MAX_DIGITS) throw new RangeError("is larger than any seal");
  const digits = bytes.toString("latin1", place.start, place.end);
  if (!/^(?:[\da-f]{2})+$/i.test(digits)) throw new RangeError("is not in hexadecimal");
  const filled = Buffer.from(digits, "hex");
  const { whole: cms } = readElement(filled);
  if (filled.subarray(cms.length).some((byte) => byte !== 0))
    throw new RangeError("is followed by other bytes");
  const data = readSignedData(cms);
  if (data.contentType !== OID.data || data.content) throw new RangeError("is not a detached signature");
  verifySignedData(data, (algorithm) => digestOf(bytes, place, algorithm));
  const { certificate, signature, unsigned } = data.signer;
  const token = unsigned.get(OID.timestampToken);
  return { certificate, cms, timestamp: token && verifyTimestamp(token.whole, signature) };
}

/** Everything but the string with the signature is covered, its angle brackets excluded. */
function digestOf(pdf: Buffer, { start, end, covered }: SealPlace, algorithm: string): Buffer {
  const hash = createHash(algorithm);
  return hash
    .update(pdf.subarray(0, start - 1))
    .update(pdf.subarray(end + 1, covered))
    .digest();
}
