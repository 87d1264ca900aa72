import { constants, createHash, verify } from "node:crypto";
import { type Certificate, readCertificate } from "./certificate.js";
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
  setOf,
  TAG,
} from "./der.js";
import { ChangedError, UnknownFormError } from "./seal-errors.js";

/** Object identifiers of CMS (RFC 5652), CAdES (RFC 5126) and algorithms. */
export const OID = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  timestampToken: "1.2.840.113549.1.9.16.2.14",
  timestampInfo: "1.2.840.113549.1.9.16.1.4",
  sha256: "2.16.840.1.101.3.4.2.1",
  rsa: "1.2.840.113549.1.1.1",
  mgf1: "1.2.840.113549.1.1.8",
  rsaPss: "1.2.840.113549.1.1.10",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
} as const;

/** The accepted hashes, and the accepted signature algorithms with the hash that each algorithm implies. */
const HASHES: Readonly<Record<string, string | undefined>> = {
  [OID.sha256]: "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};
const SIGNATURES: Readonly<Record<string, string | undefined>> = {
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
  [OID.ecdsaWithSha256]: "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
};

const ATTRIBUTES = 0xa0;
const UNSIGNED_ATTRIBUTES = 0xa1;

/** A parsed CMS signed-data object, unverified. */
interface SignedData {
  readonly contentType: string;
  /** undefined if the signature is detached. */
  readonly content: Buffer | undefined;
  readonly certificates: readonly Certificate[];
  readonly signer: SignerInfo;
}

interface SignerInfo {
  readonly certificate: Certificate;
  /** Name of the hash in Node.js. */
  readonly digest: string;
  readonly signedAttributes: Element;
  /** Includes the algorithm's parameters. */
  readonly signatureAlgorithm: Element;
  readonly signature: Buffer;
  readonly unsigned: ReadonlyMap<string, Element>;
}

/**
 * Returns the three attributes that a seal must sign according to PAdES, encoded as the SET OF that is signed.
 * @param digest SHA-256 of the content
 */
export function attributesToSign({ encoded }: Certificate, digest: Buffer): Buffer {
  const attribute = (type: string, value: Buffer) => sequence(objectId(type), setOf(value));
  // The algorithm is omitted, because SHA-256 is the default and DER omits defaults.
  const certificateId = sequence(octets(createHash("sha256").update(encoded).digest()));
  return setOf(
    attribute(OID.contentType, objectId(OID.data)),
    attribute(OID.messageDigest, octets(digest)),
    attribute(OID.signingCertificateV2, sequence(sequence(certificateId))),
  );
}

export interface Signature {
  /** The signer's certificate, followed by the chain to a root. */
  readonly certificates: readonly Certificate[];
  /** The result of `attributesToSign`. */
  readonly attributes: Buffer;
  /** RSASSA-PKCS1-v1_5, or ECDSA in DER. */
  readonly signature: Uint8Array;
  /** A timestamp token over the signature, in DER. */
  readonly token?: Buffer | undefined;
}

/** Writes a detached signature with SHA-256 as CMS. */
export function writeSignedData({ certificates, attributes, signature, token }: Signature): Buffer {
  const [signer] = certificates;
  if (!signer) throw new Error("A signature needs its signer's certificate.");
  const isRsa = signer.x509.publicKey.asymmetricKeyType === "rsa";
  const sha256 = sequence(objectId(OID.sha256));
  const algorithm = isRsa ? sequence(objectId(OID.rsa), der(0x05)) : sequence(objectId(OID.ecdsaWithSha256));
  const signed = Buffer.from(attributes);
  signed[0] = ATTRIBUTES;
  const unsigned = token
    ? [der(UNSIGNED_ATTRIBUTES, sequence(objectId(OID.timestampToken), setOf(token)))]
    : [];
  const signerInfo = sequence(
    integer(1),
    sequence(signer.issuer, signer.serial),
    sha256,
    signed,
    algorithm,
    octets(signature),
    ...unsigned,
  );
  const signedData = sequence(
    integer(1),
    setOf(sha256),
    sequence(objectId(OID.data)),
    der(0xa0, ...certificates.map(({ encoded }) => encoded)),
    setOf(signerInfo),
  );
  return sequence(objectId(OID.signedData), der(0xa0, signedData));
}

/**
 * Parses a signed-data object that has exactly one signer and contains the signer's certificate.
 * @throws RangeError that describes the problem
 */
export function readSignedData(bytes: Buffer): SignedData {
  const [type, explicit] = elementsOf(expectElement(readElement(bytes), TAG.sequence));
  if (objectIdIn(type) !== OID.signedData) throw new RangeError("is not signed data (CMS)");
  const [signedData] = elementsOf(expectElement(explicit, 0xa0));
  const [, , encapsulated, ...others] = elementsOf(expectElement(signedData, TAG.sequence));
  const [contentType, content] = elementsOf(expectElement(encapsulated, TAG.sequence));
  const certificates = others
    .filter(({ tag }) => tag === 0xa0)
    .flatMap(elementsOf)
    .filter(({ tag }) => tag === TAG.sequence)
    .map(({ derBytes }) => readCertificate(derBytes));
  const [signer, ...more] = elementsOf(expectElement(others.at(-1), TAG.set));
  if (!signer || more.length > 0) throw new UnknownFormError("doesn't have exactly one signer");
  return {
    contentType: objectIdIn(contentType),
    content: content && readElement(content.content).content,
    certificates,
    signer: readSigner(signer, certificates),
  };
}

function readSigner(element: Element, certificates: readonly Certificate[]): SignerInfo {
  const [, id, digestAlgorithm, signed, signatureAlgorithm, signature, unsigned] = elementsOf(element);
  const certificate = certificates.find((each) => id !== undefined && isNamed(each, id));
  if (!certificate) throw new UnknownFormError("does not contain its signer's certificate");
  const digestOid = objectIdIn(elementsOf(expectElement(digestAlgorithm, TAG.sequence))[0]);
  const digest = HASHES[digestOid];
  if (!digest) throw new UnknownFormError(`uses the hash ${digestOid}, which is not SHA-256, -384 or -512`);
  return {
    certificate,
    digest,
    signedAttributes: expectElement(signed, ATTRIBUTES),
    signatureAlgorithm: expectElement(signatureAlgorithm, TAG.sequence),
    signature: expectElement(signature, TAG.octets).content,
    unsigned: unsigned ? attributesIn(expectElement(unsigned, UNSIGNED_ATTRIBUTES)) : new Map(),
  };
}

/** Returns whether a signer id refers to the certificate, either by issuer and serial number, or by key identifier. */
function isNamed({ issuer, serial, keyId }: Certificate, id: Element): boolean {
  if (id.tag === 0x80) return keyId?.equals(id.content) ?? false;
  return id.tag === TAG.sequence && id.content.equals(Buffer.concat([issuer, serial]));
}

/**
 * Verifies that the content was signed with the signer's certificate. Doesn't check whether the certificate can be
 * trusted.
 * @param digestOf returns the hash of the content. Its argument is the name of the hash in Node.js
 * @throws RangeError that describes the problem
 */
export function verifySignedData(
  { contentType, signer }: SignedData,
  digestOf: (algorithm: string) => Buffer,
): void {
  const { certificate, digest, signedAttributes, signatureAlgorithm, signature } = signer;
  const attributes = attributesIn(signedAttributes);
  const type = attributes.get(OID.contentType);
  if (!type || objectIdIn(type) !== contentType)
    throw new RangeError("states a content type that differs from that of its content");
  const signedDigest = attributes.get(OID.messageDigest);
  if (!signedDigest || !expectElement(signedDigest, TAG.octets).content.equals(digestOf(digest)))
    throw new ChangedError("signs different content");
  if (!namesCertificate(attributes, certificate.encoded))
    throw new RangeError("is bound to another certificate");
  const asSet = Buffer.from(signedAttributes.derBytes);
  asSet[0] = TAG.set;
  if (!isSignedWithCertificate(certificate, schemeOf(signatureAlgorithm, digest), asSet, signature))
    throw new RangeError("has a signature that was not made with the key of its certificate");
}

/** @throws UnknownFormError if OpenSSL rejects the key, or its use with this scheme */
function isSignedWithCertificate(
  { x509 }: Certificate,
  { hash, ...padding }: Scheme,
  bytes: Buffer,
  signature: Buffer,
): boolean {
  try {
    return verify(hash, bytes, { key: x509.publicKey, ...padding }, signature);
  } catch {
    throw new UnknownFormError(
      "uses a signature algorithm that is not supported for the key of its certificate",
    );
  }
}

/** A signature scheme in the terms of Node.js. */
interface Scheme {
  readonly hash: string;
  readonly padding?: number;
  readonly saltLength?: number;
}

/** @throws UnknownFormError if the algorithm is not supported */
function schemeOf(algorithm: Element, digest: string): Scheme {
  const [type, parameters] = elementsOf(algorithm);
  const name = objectIdIn(type);
  if (name === OID.rsaPss) return pssScheme(parameters);
  const hash = name === OID.rsa ? digest : SIGNATURES[name];
  if (!hash) throw new UnknownFormError(`uses the signature algorithm ${name}, which is not supported`);
  return { hash };
}

/** Reads the parameters of RSASSA-PSS (RFC 4055, 3.1). Parameters that are missing have the defaults for SHA-1. */
function pssScheme(parameters: Element | undefined): Scheme {
  const fields = new Map(
    parameters ? elementsOf(parameters).map((field) => [field.tag, elementsOf(field)[0]]) : [],
  );
  const [hashAlgorithm, maskAlgorithm, salt] = [fields.get(0xa0), fields.get(0xa1), fields.get(0xa2)];
  const [maskType, maskHash] = maskAlgorithm ? elementsOf(maskAlgorithm) : [];
  const hash = hashAlgorithm && HASHES[objectIdIn(elementsOf(hashAlgorithm)[0])];
  const isKnown =
    hash !== undefined &&
    maskHash !== undefined &&
    objectIdIn(maskType) === OID.mgf1 &&
    HASHES[objectIdIn(elementsOf(maskHash)[0])] === hash;
  if (!isKnown) throw new UnknownFormError("uses RSASSA-PSS with parameters that are not supported");
  const saltLength = salt ? Number.parseInt(salt.content.toString("hex"), 16) : 20;
  return { hash, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
}

/** Returns whether the signing-certificate attribute refers to this certificate (RFC 5035). */
function namesCertificate(attributes: ReadonlyMap<string, Element>, encoded: Buffer): boolean {
  const newer = attributes.get(OID.signingCertificateV2);
  const attribute = newer ?? attributes.get(OID.signingCertificate);
  const [ids] = attribute ? elementsOf(attribute) : [];
  const [first] = ids ? elementsOf(ids) : [];
  const parts = first ? elementsOf(first) : [];
  const named = parts[0]?.tag === TAG.sequence ? objectIdIn(elementsOf(parts[0])[0]) : undefined;
  const algorithm = newer ? HASHES[named ?? OID.sha256] : "sha1";
  const hash = parts.find(({ tag }) => tag === TAG.octets);
  if (!algorithm || !hash) return false;
  return createHash(algorithm).update(encoded).digest().equals(hash.content);
}

/**
 * Returns the value of each attribute by its type.
 * @throws RangeError if an attribute occurs twice, or doesn't have exactly one value
 */
function attributesIn(set: Element): ReadonlyMap<string, Element> {
  const values = new Map<string, Element>();
  for (const attribute of elementsOf(set)) {
    const [type, attributeValue] = elementsOf(attribute);
    const [value, ...others] = elementsOf(expectElement(attributeValue, TAG.set));
    if (!value || others.length > 0 || values.has(objectIdIn(type)))
      throw new RangeError("has an attribute that occurs twice or doesn't have exactly one value");
    values.set(objectIdIn(type), value);
  }
  return values;
}
