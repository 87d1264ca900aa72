import { createHash } from "node:crypto";
import { type BadgeFile, badgeInFile } from "../../badges/badge-in-file.js";
import { keyUrl } from "../../badges/did-document.js";
import { canBeDidOf } from "../../badges/issuer-url.js";
import { readBadge, type UncheckedBadge } from "../../badges/read-badge.js";
import type { Cancellation } from "../../concurrency/cancellation.js";
import type { DidOf } from "../badges/issuer.js";
import type { PublishedKey, PublishedKeys } from "../badges/issuer-key-store.js";
import type { LookUpVerification, Verification } from "./look-up-verification.js";

/**
 * Verdict on a file:
 * - `genuine`: it is as issued, and in force;
 * - `withdrawn`: it is as issued, but was invalidated since;
 * - `expired`: it is as issued, but its last day is over;
 * - `altered`: it claims to be issued here, but differs;
 * - `unknown`: it is none of these.
 */
export type FileVerdict = "genuine" | "withdrawn" | "expired" | "altered" | "unknown";

/** The result of verifying a file. */
export interface VerifiedFile {
  readonly verdict: FileVerdict;
  /** The credential to which the file belongs or claims to belong; undefined if verification knows none. */
  readonly verification: Verification | undefined;
}

/** Verifies files that were issued here. Nothing is cached: the result is as current as the database. */
export interface VerifyCredential {
  /** Verifies a PDF as it was issued, or an Open Badge as JSON or JWT, or in a PNG or SVG. */
  file(file: Uint8Array, cancellation: Cancellation): Promise<VerifiedFile>;
  /** Verifies a PDF as it was issued, by its SHA-256 in lower-case hexadecimal. */
  digest(sha256: string, cancellation: Cancellation): Promise<VerifiedFile>;
}

/** Dependencies for verifying files. */
export interface VerificationDeps {
  readonly publishedKeys: PublishedKeys;
  readonly lookUp: LookUpVerification;
  readonly lookUpFile: LookUpVerification;
  readonly didOf: DidOf;
}

const UNKNOWN: VerifiedFile = { verdict: "unknown", verification: undefined };

const badgeId = /^urn:uuid:([\da-fA-F-]{36})$/;

export function createVerifyCredential(deps: VerificationDeps): VerifyCredential {
  const { publishedKeys, lookUp, lookUpFile, didOf } = deps;
  async function digest(sha256: string, cancellation: Cancellation): Promise<VerifiedFile> {
    const verification = await lookUpFile(sha256, cancellation);
    return verification ? asIssued(verification) : UNKNOWN;
  }

  async function badge(read: UncheckedBadge, cancellation: Cancellation): Promise<[boolean, VerifiedFile]> {
    const keys = await publishedKeys(null, cancellation);
    const key = keys.find(
      (each) => read.keyUrl === keyUrl(read.issuer, each) && canSignAs(read.issuer, each),
    );
    const ours = new Set([undefined, ...keys.map(({ organisation }) => organisation)]);
    if (!key && ![...ours].some((each) => read.issuer === didOf(each))) return [false, UNKNOWN];
    const verifyUuid = badgeId.exec(read.id ?? "")?.[1];
    const verification = verifyUuid === undefined ? undefined : await lookUp(verifyUuid, cancellation);
    if (!key || !read.isSignedBy(key)) return [false, { verdict: "altered", verification }];
    return [true, verification ? asIssued(verification) : UNKNOWN];
  }

  /** The keys of an organisation prove nothing of another one's badges. The service may have moved since. */
  function canSignAs(issuer: string, { organisation }: PublishedKey): boolean {
    return (
      issuer.startsWith("did:key:") || canBeDidOf(organisation, issuer) || issuer === didOf(organisation)
    );
  }

  return {
    digest,
    async file(file, cancellation) {
      const found = badgeInFile(file);
      if (found.kind === "pdf") {
        const whole = await digest(createHash("sha256").update(file).digest("hex"), cancellation);
        if (whole.verification) return whole;
      }
      const read = readIn(found);
      if (!read) return UNKNOWN;
      const [isSigned, verified] = await badge(read, cancellation);
      // The visible contents of a PDF are not signed. If its bytes are not the issued ones, it may show
      // anything beside a valid badge.
      return found.kind === "pdf" && isSigned ? { ...verified, verdict: "altered" } : verified;
    },
  };
}

/** A file with several badges, or an encrypted one, makes no definite statement. */
function readIn(file: BadgeFile): UncheckedBadge | undefined {
  try {
    const text = file.badge();
    return text === undefined ? undefined : readBadge(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function asIssued(verification: Verification): VerifiedFile {
  if (verification.isExpired) return { verdict: "expired", verification };
  return { verdict: verification.status === "available" ? "genuine" : "withdrawn", verification };
}
