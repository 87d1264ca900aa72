import { createHash } from "node:crypto";
import { type Certificate, chainsToAnchor, isValidAt, KEY_USAGE } from "./certificate.js";
import {
  der,
  type Element,
  elementsOf,
  expectElement,
  integer,
  objectId,
  objectIdIn,
  octets,
  readElement,
  sequence,
  TAG,
} from "./der.js";
import { OID, readSignedData, verifySignedData } from "./signed-data.js";

/** A verified timestamp token (RFC 3161). */
export interface Timestamp {
  /** In DER encoding. */
  readonly token: Buffer;
  readonly time: Date;
  /** The authority's certificate. */
  readonly certificate: Certificate;
}

const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";

/**
 * Writes a request for a timestamp of a SHA-256 hash.
 * @param nonce The first byte must be 1 to 127: in a DER integer, a larger byte would make the number negative, and
 *   leading zeros are forbidden
 */
export function timestampRequest(sha256: Buffer, nonce: Buffer): Buffer {
  const imprint = sequence(sequence(objectId(OID.sha256)), octets(sha256));
  const certificateWanted = der(TAG.boolean, Buffer.from([0xff]));
  return sequence(integer(1), imprint, der(TAG.integer, nonce), certificateWanted);
}

/**
 * Returns the token in the response to a timestamp request.
 * @throws RangeError with the status, if the authority refused the request
 */
export function tokenInAnswer(answer: Buffer): Buffer {
  const [info, token] = elementsOf(expectElement(readElement(answer), TAG.sequence));
  const [status] = elementsOf(expectElement(info, TAG.sequence));
  const { content } = expectElement(status, TAG.integer);
  const granted = content.length === 1 && (content[0] === 0 || content[0] === 1);
  if (!granted)
    throw new RangeError(
      `refuses the request (status ${content.readUIntBE(0, Math.min(content.length, 4))})`,
    );
  if (!token) throw new RangeError("grants a timestamp but contains none");
  return token.derBytes;
}

/** Writes a response that contains a token, for programs such as `openssl ts`. */
export function timestampAnswer(token: Buffer): Buffer {
  return sequence(sequence(integer(0)), token);
}

/**
 * Verifies that a token is for this content, and that it was signed with a certificate that is only for timestamps.
 * @param of the content that was stamped
 * @throws RangeError that describes the problem
 */
export function verifyTimestamp(
  token: Buffer,
  of: Uint8Array,
): Timestamp & { readonly nonce: Buffer | undefined } {
  const data = readSignedData(token);
  const { content, contentType, signer } = data;
  if (contentType !== OID.timestampInfo || !content)
    throw new RangeError("contains no timestamp information (RFC 3161, 2.4.2)");
  verifySignedData(data, (algorithm) => createHash(algorithm).update(content).digest());
  const { certificate } = signer;
  if (!isForTimestamps(certificate))
    throw new RangeError("is signed with a certificate that is not only for timestamps (RFC 3161, 2.3)");
  const fields = elementsOf(expectElement(readElement(content), TAG.sequence));
  const [, , imprint, , generated, ...optional] = fields;
  if (!isImprintOf(expectElement(imprint, TAG.sequence), of))
    throw new RangeError("is for different content");
  const time = timeIn(expectElement(generated, TAG.generalizedTime));
  if (!isValidAt(certificate, time))
    throw new RangeError("is signed with a certificate that was not valid at the stated time");
  return { token, time, certificate, nonce: optional.find(({ tag }) => tag === TAG.integer)?.content };
}

/**
 * Returns whether the certificate is only for timestamps, and its key usage, if stated, only for signatures. Other
 * programs also require this.
 */
function isForTimestamps({ purposes, hasCriticalPurposes, keyUsage }: Certificate): boolean {
  const signing = KEY_USAGE.digitalSignature | KEY_USAGE.nonRepudiation;
  const isForSignatures =
    keyUsage === undefined || ((keyUsage & signing) !== 0 && (keyUsage & ~signing) === 0);
  return purposes?.join() === TIME_STAMPING && hasCriticalPurposes && isForSignatures;
}

/** Additional requirements for a token that was just issued. */
export interface Expected {
  readonly nonce: Buffer;
  readonly now: Date;
  /** Trusted certificates of authorities; if undefined, every authority is trusted. */
  readonly anchors: readonly Certificate[] | undefined;
}

/** Maximum difference between the clocks. With a larger difference, the token's time would be useless. */
const MAX_SKEW_MS = 10 * 60_000;

/**
 * Parses and verifies the response to a request.
 * @throws RangeError that describes the problem
 */
export function readAnswer(answer: Buffer, of: Uint8Array, { nonce, now, anchors }: Expected): Timestamp {
  const token = tokenInAnswer(answer);
  const stamp = verifyTimestamp(token, of);
  if (!stamp.nonce?.equals(nonce)) throw new RangeError("is for another request");
  const { certificate, time } = stamp;
  if (Math.abs(time.getTime() - now.getTime()) > MAX_SKEW_MS)
    throw new RangeError(
      `states the time ${time.toISOString()}, but the clock here says ${now.toISOString()}`,
    );
  if (anchors && !chainsToAnchor(anchors, certificate, readSignedData(token).certificates, now))
    throw new RangeError(
      `is signed by ${certificate.subjectName}, which does not chain to a certificate in TSA_CA_FILE`,
    );
  return stamp;
}

function isImprintOf(imprint: Element, of: Uint8Array): boolean {
  const [algorithm, hash] = elementsOf(imprint);
  const name = objectIdIn(elementsOf(expectElement(algorithm, TAG.sequence))[0]);
  if (name !== OID.sha256) return false;
  return createHash("sha256").update(of).digest().equals(expectElement(hash, TAG.octets).content);
}

/** Parses a time in UTC, with or without fractions of a second. */
function timeIn({ content }: Element): Date {
  const text = content.toString("latin1");
  const [, year, month, day, hour, minute, second, fraction = ""] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(time.getTime())) throw new RangeError("contains no valid time");
  return time;
}
