import { createHash } from "node:crypto";
import { readCertificate } from "#formats/sealing/certificate.js";
import { der, integer, objectId, octets, sequence, setOf } from "#formats/sealing/der.js";
import { OID } from "#formats/sealing/signed-data.js";

const SHA_256 = sequence(objectId(OID.sha256));
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

interface Forgery {
  /** In DER encoding. */
  readonly certificate: Buffer;
  /** Signature algorithm with its parameters, in DER encoding. */
  readonly algorithm: Buffer;
  readonly signature: Buffer;
}

/**
 * Writes signed data (CMS) in which only the certificate, the algorithm and the signature can be wrong.
 * @param digest SHA-256 of the content
 */
export function forgeSignedData(
  { certificate, algorithm, signature }: Forgery,
  digest: Buffer,
  content: { type: string; bytes?: Buffer } = { type: OID.data },
): Buffer {
  const { issuer, serial } = readCertificate(certificate);
  const attribute = (name: string, value: Buffer) => sequence(objectId(name), setOf(value));
  const attributes = setOf(
    attribute(OID.contentType, objectId(content.type)),
    attribute(OID.messageDigest, octets(digest)),
    attribute(OID.signingCertificateV2, sequence(sequence(sequence(octets(sha256(certificate)))))),
  );
  attributes[0] = 0xa0;
  const signer = sequence(
    integer(1),
    sequence(issuer, serial),
    SHA_256,
    attributes,
    algorithm,
    octets(signature),
  );
  const encapsulated = content.bytes ? [der(0xa0, octets(content.bytes))] : [];
  const signedData = sequence(
    integer(1),
    setOf(SHA_256),
    sequence(objectId(content.type), ...encapsulated),
    der(0xa0, certificate),
    setOf(signer),
  );
  return sequence(objectId(OID.signedData), der(0xa0, signedData));
}

/** Writes a timestamp whose statement is never read, because its signature is wrong. */
export function forgeTimestamp(forgery: Forgery): Buffer {
  const bytes = Buffer.from("a statement");
  return forgeSignedData(forgery, sha256(bytes), { type: OID.timestampInfo, bytes });
}
