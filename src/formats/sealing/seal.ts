import { failedPrecondition, Problem } from "#foundation/errors.js";
import { type Certificate, hasIssued, isValidAt, KEY_USAGE, readCertificates } from "./certificate.js";
import { checkSealKey, type SealKey } from "./seal-key.js";
import { digestToSeal, insertSeal, readSeal } from "./sealed-pdf.js";
import { attributesToSign, writeSignedData } from "./signed-data.js";
import type { Timestamp } from "./timestamp-token.js";
import { TOKEN_ROOM } from "./timestamps.js";

/** Seals PDFs with a certificate (PAdES B-B, and B-T with a timestamp). */
export interface Seal {
  readonly certificate: Certificate;
  /** Number of bytes that a PDF has to reserve for the seal. */
  readonly room: number;
  /**
   * Seals a PDF in the reserved space, and verifies the result.
   * @throws Problem `failed-precondition` if the certificate is not valid now; `unavailable` if the key is unavailable
   * or returned a wrong signature
   */
  close(pdf: Uint8Array): Promise<SealedPdf>;
}

interface SealedPdf {
  readonly bytes: Buffer;
  /** In DER encoding. */
  readonly cms: Buffer;
  readonly timestamp: Timestamp | undefined;
}

interface SealParts {
  readonly key: SealKey;
  /** Returns a timestamp of a signature, or undefined to seal without one. */
  stamp?(signature: Uint8Array): Promise<Timestamp | undefined>;
}

/** Bytes for everything except the certificates and the timestamp. A signature with RSA 4096 takes 512 bytes. */
const RESERVED_BYTES = 1024;

const MAX_CERTIFICATES = 10;

/** @param certificates the seal's own certificate, followed by the chain to a root */
export function createSeal(certificates: readonly Certificate[], { key, stamp }: SealParts): Seal {
  const [certificate] = certificates;
  if (!certificate) throw new Error("A seal needs a certificate.");
  const chain = certificates.reduce((sum, { encoded }) => sum + encoded.length, 0);
  return {
    certificate,
    room: chain + certificate.issuer.length + RESERVED_BYTES + (stamp ? TOKEN_ROOM : 0),
    async close(pdf) {
      if (!isValidAt(certificate, new Date()))
        throw failedPrecondition(
          `The document can't be sealed with the certificate of ${describe(certificate)}.`,
        );
      const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
      const attributes = attributesToSign(certificate, digestToSeal(bytes));
      const signature = await key.sign(attributes).catch((cause) => {
        throw cannot(certificate, cause);
      });
      const timestamp = await stamp?.(signature);
      const cms = writeSignedData({ certificates, attributes, signature, token: timestamp?.token });
      const sealed = insertSeal(bytes, cms);
      try {
        readSeal(sealed);
      } catch (cause) {
        throw cannot(certificate, new Error(`the new seal ${(cause as Error).message}`));
      }
      return { bytes: sealed, cms, timestamp };
    },
  };
}

/** Returns a problem of the kind `unavailable`. This makes jobs retry, because the documents are not at fault. */
function cannot({ subjectName }: Certificate, cause: Error): Problem {
  return new Problem(
    "unavailable",
    `The document can't be sealed with the certificate of ${subjectName} now: ${cause.message}.`,
    { cause },
  );
}

function describe({ subjectName, validFrom, validTo }: Certificate): string {
  return `${subjectName}, which is valid only from ${validFrom.toISOString()} to ${validTo.toISOString()}`;
}

const DOCUMENT_SIGNING = "1.3.6.1.5.5.7.3.36";
const EMAIL_PROTECTION = "1.3.6.1.5.5.7.3.4";
const ANY_PURPOSE = "2.5.29.37.0";

/**
 * Reads the certificates of a seal from PEM, and checks that the first one can be used for seals now.
 * @throws RangeError that describes the problem
 */
export function readSealCertificates(pem: string, now: Date): readonly Certificate[] {
  const certificates = readCertificates(pem);
  const [own] = certificates;
  if (!own) throw new RangeError("contains no certificate in PEM");
  if (certificates.length > MAX_CERTIFICATES)
    throw new RangeError(
      `contains ${certificates.length} certificates; at most ${MAX_CERTIFICATES} are accepted`,
    );
  checkSealKey(own.x509.publicKey);
  if (!isValidAt(own, now)) throw new RangeError(`starts with the certificate of ${describe(own)}`);
  const { keyUsage } = own;
  if (keyUsage !== undefined && (keyUsage & (KEY_USAGE.digitalSignature | KEY_USAGE.nonRepudiation)) === 0)
    throw new RangeError(
      `starts with the certificate of ${own.subjectName}, whose keyUsage has neither digitalSignature nor nonRepudiation, so it can't sign`,
    );
  return certificates;
}

/** Returns the reasons why PDF viewers will complain about a seal with these certificates; empty if none are known. */
export function knownProblemsOf(certificates: readonly Certificate[]): string[] {
  const [own] = certificates;
  if (!own) return [];
  const { purposes } = own;
  const isForEmail = purposes?.some((each) => each === EMAIL_PROTECTION || each === ANY_PURPOSE) ?? true;
  const gap = certificates.findIndex((each, index) => {
    const next = certificates[index + 1];
    return next !== undefined && !hasIssued(next, each);
  });
  return [
    ...(own.x509.subject === own.x509.issuer ? ["it is self-signed, so PDF readers show a warning"] : []),
    ...(isForEmail
      ? []
      : [
          `its extended key usage lacks emailProtection${purposes?.includes(DOCUMENT_SIGNING) ? " in addition to documentSigning" : ""}, ` +
            "so programs that use poppler, such as Okular and Evince, don't accept it",
        ]),
    ...(gap === -1 ? [] : [`certificate ${gap + 2} in the file did not issue certificate ${gap + 1}`]),
  ];
}
