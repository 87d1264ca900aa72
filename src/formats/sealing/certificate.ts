import { X509Certificate } from "node:crypto";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { shorten } from "#foundation/shorten.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { type Element, elementsOf, objectIdIn, readElement, TAG } from "./der.js";

/** A certificate (RFC 5280), with the values by which signatures refer to it. */
export interface Certificate {
  readonly x509: X509Certificate;
  /** In DER encoding. */
  readonly encoded: Buffer;
  /** The issuer's name in DER encoding. */
  readonly issuer: Buffer;
  /** In DER encoding. */
  readonly serial: Buffer;
  /** Common name and organisation of the subject, unverified. */
  readonly subjectName: string;
  readonly issuerName: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** The first bit is 0x8000; undefined if the usage is not restricted. */
  readonly keyUsage: number | undefined;
  /** Object identifiers of the extended key usage; undefined if this usage is not restricted. */
  readonly purposes: readonly string[] | undefined;
  /** True if the extended key usage is critical. */
  readonly hasCriticalPurposes: boolean;
  /** Subject key identifier. */
  readonly keyId: Buffer | undefined;
}

/** RFC 5280, 4.2.1.3. */
export const KEY_USAGE = { digitalSignature: 0x8000, nonRepudiation: 0x4000 } as const;

const MAX_NAME = 200;

/** Maximum number of cached certificates. Enough for the chains of the seals and of their timestamps. */
const MAX_CACHED = 50;

const certificateCache = createBoundedCache<Certificate>(MAX_CACHED);

/**
 * Reads a certificate. Certificates are cached: every new seal is verified, and parsing its certificate would take half
 * of the time of the verification.
 * @throws RangeError if the bytes are not a certificate
 */
export function readCertificate(encoded: Buffer): Certificate {
  return certificateCache(encoded.toString("latin1"), () => read(Buffer.from(encoded)));
}

function read(encoded: Buffer): Certificate {
  const x509 = parse(encoded);
  const [tbs] = elementsOf(readElement(encoded));
  const fields = tbs ? elementsOf(tbs) : [];
  if (fields[0]?.tag === 0xa0) fields.shift(); // removes the version, which is optional
  const [serial, , issuer, , subject] = fields;
  if (!serial || !issuer || !subject) throw new RangeError("is not a certificate");
  const extensions = extensionsOf(fields.find(({ tag }) => tag === 0xa3));
  return {
    x509,
    encoded,
    issuer: issuer.derBytes,
    serial: serial.derBytes,
    subjectName: nameOf(subject),
    issuerName: nameOf(issuer),
    validFrom: new Date(x509.validFrom),
    validTo: new Date(x509.validTo),
    keyUsage: keyUsageIn(extensions.get("2.5.29.15")?.value),
    purposes: x509.keyUsage, // Node.js calls the extended key usage `keyUsage`
    hasCriticalPurposes: extensions.get("2.5.29.37")?.isCritical ?? false,
    keyId: extensions.get("2.5.29.14")?.value.content,
  };
}

/**
 * Reads the certificates of a PEM file in order. Returns an empty list if the file contains no certificates.
 * @throws RangeError if a certificate is damaged
 */
export function readCertificates(pem: string): Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => readCertificate(Buffer.from(block.replace(/-----[^-]+-----/g, ""), "base64")));
}

/**
 * Returns whether a chain of certificates leads from this certificate to an anchor. Every certificate below the anchor
 * must be valid at this time.
 */
export function chainsToAnchor(
  anchors: readonly Certificate[],
  certificate: Certificate,
  others: readonly Certificate[],
  at: Date,
): boolean {
  let current = certificate;
  for (let step = 0; step <= others.length; step++) {
    const { encoded } = current;
    if (!isValidAt(current, at)) return false;
    if (anchors.some((anchor) => anchor.encoded.equals(encoded) || hasIssued(anchor, current))) return true;
    const issuer = others.find((other) => other.encoded !== encoded && hasIssued(other, current));
    if (!issuer) return false;
    current = issuer;
  }
  return false;
}

export function isValidAt({ validFrom, validTo }: Certificate, at: Date): boolean {
  return validFrom <= at && at <= validTo;
}

export function hasIssued({ x509: issuer }: Certificate, { x509 }: Certificate): boolean {
  return issuer.ca && x509.checkIssued(issuer) && x509.verify(issuer.publicKey);
}

function parse(encoded: Buffer): X509Certificate {
  try {
    return new X509Certificate(encoded);
  } catch {
    throw new RangeError("is not a certificate");
  }
}

/** Reads a bit string. Its first byte is the number of unused bits; the bits follow. */
function keyUsageIn(value: Element | undefined): number | undefined {
  return value && (value.content[1] ?? 0) * 0x100 + (value.content[2] ?? 0);
}

interface Extension {
  readonly value: Element;
  readonly isCritical: boolean;
}

/** Returns the extensions by object identifier. */
function extensionsOf(explicit: Element | undefined): ReadonlyMap<string, Extension> {
  const [list] = explicit ? elementsOf(explicit) : [];
  const values = (list ? elementsOf(list) : []).map((extension): [string, Extension] => {
    const parts = elementsOf(extension);
    const value = parts.at(-1);
    if (value?.tag !== TAG.octets) throw new RangeError("is not a certificate");
    const [, critical] = parts;
    const isCritical = critical?.tag === TAG.boolean && critical.content[0] !== 0;
    return [objectIdIn(parts[0]), { value: readElement(value.content), isCritical }];
  });
  return new Map(values);
}

/** Returns the common name and the organisation. If both are missing, returns the other parts of the name. */
function nameOf(name: Element): string {
  const parts = new Map<string, string>();
  for (const relative of elementsOf(name)) {
    for (const attribute of elementsOf(relative)) {
      const [type, value] = elementsOf(attribute);
      if (value) parts.set(objectIdIn(type), plainLine(stringIn(value)));
    }
  }
  const [common, organisation] = [parts.get("2.5.4.3"), parts.get("2.5.4.10")];
  const named = [...new Set([common, organisation])].filter(Boolean);
  const words = (named.length > 0 ? named : [...parts.values()]).join(", ");
  return shorten(words, MAX_NAME) || "(no name)";
}

const BMP_STRING = 0x1e;
const UTF8_STRING = 0x0c;

function stringIn({ tag, content }: Element): string {
  if (tag === UTF8_STRING) return content.toString("utf8");
  if (tag !== BMP_STRING || content.length % 2 !== 0) return content.toString("latin1");
  return Buffer.from(content).swap16().toString("utf16le");
}
