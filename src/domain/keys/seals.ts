import type { KeyObject } from "node:crypto";
import type { Signer } from "#formats/badges/signer.js";
import { type Certificate, readCertificates } from "#formats/sealing/certificate.js";
import { createSeal, knownProblemsOf, readSealCertificates, type Seal } from "#formats/sealing/seal.js";
import { openSealKey, readSealKey, type SealKey, tryKey } from "#formats/sealing/seal-key.js";
import {
  createTimestamps,
  shown,
  type Timestamps,
  type TimestampsOptions,
} from "#formats/sealing/timestamps.js";
import { EXPIRY_WARNING_DAYS } from "#foundation/calendar/expiry-warning-days.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import type { KeySettings } from "./key-settings.js";
import type { SealFiles } from "./organisation-issuers.js";
import { readSmall, signerIn } from "./signing-keys.js";

export interface Seals {
  /**
   * Returns the organisation's own seal, or else the service's seal. Returns `undefined` if there is neither. PDFs are
   * then not sealed.
   * @param organisation undefined for the service itself
   */
  of(organisation: string | undefined): Seal | undefined;
  /** When the certificates expire. The organisation is empty for the service itself. */
  readonly ends: readonly { readonly organisation: string; readonly at: Date }[];
  /** @throws Problem `unavailable` if a document would have to wait for a timestamp */
  check(): Promise<void>;
  /** Logs a warning for each certificate that expires within 30 days. */
  warnOfEnds(): void;
}

export interface SealReport {
  readonly log: { warn(about: object, message: string): void };
  timestamp(outcome: "given" | "failed"): void;
}

const DAY_MS = 86_400_000;

const PROBE = Buffer.from("Are there timestamps?");

/**
 * Returns `undefined` if the settings have no seals.
 * @throws Problem `failed-precondition` naming the file and its fault
 */
export async function openSeals(
  {
    seal: own,
    issuers,
    timestamps: { level, urls, caFile },
  }: Pick<KeySettings, "seal" | "issuers" | "timestamps">,
  signers: readonly Signer[],
  report: SealReport,
): Promise<Seals | undefined> {
  const named = [
    ...(own ? [["", own] as const] : []),
    ...[...issuers].flatMap(([name, { seal }]) => (seal ? [[name, seal] as const] : [])),
  ];
  if (named.length === 0) return undefined;
  const isStamped = level !== "off" && urls.length > 0;
  const timestamps = isStamped
    ? createTimestamps({ urls, anchors: await readTsaAnchors(caFile), ...reportingTo(report) })
    : undefined;
  const stamp = timestamps && { stamp: stampsOf(timestamps, level === "required") };
  const seals = new Map<string, Seal>();
  for (const [organisation, files] of named) {
    const { certificates, key } = await openSealFiles(files, signers, organisation);
    for (const doubt of knownProblemsOf(certificates))
      report.log.warn(
        { certFile: files.certFile, doubt },
        "PDF readers might not trust the certificate of a seal",
      );
    seals.set(organisation, createSeal(certificates, { key, ...stamp }));
  }
  const ends = [...seals].map(([organisation, { certificate }]) => ({
    organisation,
    at: certificate.validTo,
  }));
  return {
    of: (organisation = "") => seals.get(organisation) ?? seals.get(""),
    ends,
    async check() {
      if (level === "required") await stamp?.stamp(PROBE);
    },
    warnOfEnds() {
      for (const { organisation, at } of ends) {
        const days = Math.floor((at.getTime() - Date.now()) / DAY_MS);
        if (days < EXPIRY_WARNING_DAYS)
          report.log.warn(
            { organisation, days, at },
            "certificate of a PDF seal expires soon or has expired",
          );
      }
    },
  };
}

/**
 * Returns the function that requests timestamps. If no authority responds and timestamps are optional, the signature
 * gets none. If they are required, the document has to wait.
 */
function stampsOf(timestamps: Timestamps, isRequired: boolean) {
  return (signature: Uint8Array) =>
    timestamps.of(signature).catch((cause: Error) => {
      if (!isRequired) return undefined;
      throw new Problem("unavailable", cause.message, { cause, outage: "timestamps" });
    });
}

export function reportingTo(report: SealReport): Pick<TimestampsOptions, "onAnswer"> {
  return {
    onAnswer({ url, error, isNew }) {
      report.timestamp(error ? "failed" : "given");
      if (error && isNew)
        report.log.warn({ tsa: shown(url), err: error }, "timestamp authority did not return a timestamp");
    },
  };
}

/** Returns the CA certificates of trusted timestamp authorities, or `undefined` if all authorities are trusted. */
export async function readTsaAnchors(
  caFile: string | undefined,
): Promise<readonly Certificate[] | undefined> {
  if (caFile === undefined) return undefined;
  const anchors = await reading("TSA_CA_FILE", caFile, async () => readCertificates(await readSmall(caFile)));
  if (anchors.length > 0) return anchors;
  throw failedPrecondition(`TSA_CA_FILE: ${caFile} contains no certificate in PEM.`);
}

async function openSealFiles(
  { certFile, keyFile }: SealFiles,
  signers: readonly Signer[],
  organisation: string,
) {
  const settings = sealSettings(organisation);
  const certificates = await reading(settings.certificate, certFile, async () =>
    readSealCertificates(await readSmall(certFile), new Date()),
  );
  const key = await reading(settings.key, keyFile, async () => {
    const opened = await openKey(keyFile, signers);
    if (!isSameKey(certificates[0]?.x509.publicKey, opened.publicKey))
      throw new RangeError(`is not the key of the first certificate in ${certFile}`);
    await tryKey(opened);
    return opened;
  });
  return { certificates, key };
}

/**
 * Compares the types of the keys first. In Node, comparing keys of different types leaves an error in OpenSSL's queue,
 * and OpenSSL then rejects the next key.
 */
function isSameKey(one: KeyObject | undefined, other: KeyObject): boolean {
  return one !== undefined && one.asymmetricKeyType === other.asymmetricKeyType && one.equals(other);
}

function sealSettings(organisation: string): { certificate: string; key: string } {
  return organisation === ""
    ? { certificate: "PDF_SEAL_CERT_FILE", key: "PDF_SEAL_KEY_FILE" }
    : {
        certificate: `ISSUERS_FILE, ${organisation}.seal.certificate`,
        key: `ISSUERS_FILE, ${organisation}.seal.key`,
      };
}

/** @param named a file, or `<signer>:<reference>` for a plug-in's key */
async function openKey(named: string, signers: readonly Signer[]): Promise<SealKey> {
  const { signer, reference } = signerIn(named, signers);
  return signer ? openSealKey(signer, reference) : readSealKey(await readSmall(named));
}

/** @throws Problem `failed-precondition` naming the setting, the file and its fault */
export async function reading<T>(setting: string, path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const { message } = cause as Error;
    const problem = cause instanceof RangeError ? message : `can't be used: ${message}`;
    throw failedPrecondition(`${setting}: ${path} ${problem}.`, { cause });
  }
}
