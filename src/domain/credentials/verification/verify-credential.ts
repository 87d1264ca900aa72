import type { BadgeFileKind } from "#formats/badges/badge-in-file.js";
import { canBeDidOf } from "#formats/badges/issuer-url.js";
import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import type { DidOf } from "../badges/issuer.js";
import type { PublishedKey, PublishedKeys } from "../badges/issuer-key-store.js";
import type { ReadFile } from "./file-reader.js";
import type { ReadBadge } from "./file-reader-thread.js";
import type { LookUpVerification, Verification } from "./look-up-verification.js";

/**
 * The result for a file:
 * - `genuine`: the file is unchanged since it was issued, and the credential is valid
 * - `withdrawn`: the file is unchanged, but the credential was invalidated
 * - `expired`: the file is unchanged, but the credential's last day has passed
 * - `altered`: the file claims to be issued here, but differs
 * - `badge-genuine`, `badge-withdrawn`, `badge-expired`: only a badge in the file is known to be unchanged. The file is
 *   a picture or JSON with a badge, or a PDF with a learner record, and anyone may have made the rest of it
 * - `unknown`: none of these
 *
 * A learner record has the worst result of its badges. When its own validity has ended, it is expired.
 */
export type FileVerdict = Verdict | `badge-${Validity}`;

type Verdict = Validity | "altered" | "unknown";

/** The state of a credential whose file or badge is unchanged. */
type Validity = "genuine" | "withdrawn" | "expired";

export interface VerifiedFile {
  readonly verdict: FileVerdict;
  /** The credential to which the file belongs, or claims to belong. */
  readonly verification: Verification | undefined;
  /** Verdicts on the badges in a learner record, in order. */
  readonly badges?: readonly VerifiedFile[];
}

/** Verifies files that were issued here. Every call compares them with the current database. */
export interface VerifyCredential {
  /**
   * Verifies a PDF, an Open Badge (JSON, JWT, or in a PNG or SVG), or a learner record.
   * @throws the Problems of `ReadFile`
   */
  file(file: Uint8Array, client: string, cancellation: Cancellation): Promise<VerifiedFile>;
  /** Verifies a PDF by its SHA-256 in lower-case hexadecimal. */
  digest(sha256: string, cancellation: Cancellation): Promise<VerifiedFile>;
}

interface VerificationDeps {
  readonly publishedKeys: PublishedKeys;
  readonly readFile: ReadFile;
  readonly lookUp: LookUpVerification;
  readonly lookUpFile: LookUpVerification;
  readonly didOf: DidOf;
}

type JudgedBadge = VerifiedFile & { readonly verdict: Verdict };

const UNKNOWN = { verdict: "unknown", verification: undefined } as const;

const badgeId = /^urn:uuid:([\da-fA-F-]{36})$/;

export function createVerifyCredential(deps: VerificationDeps): VerifyCredential {
  const { publishedKeys, readFile, lookUp, lookUpFile, didOf } = deps;
  async function digest(sha256: string, cancellation: Cancellation): Promise<VerifiedFile> {
    const verification = await lookUpFile(sha256, cancellation);
    return verification ? asIssued(verification) : UNKNOWN;
  }

  async function verifyBadge(
    badge: ReadBadge,
    keys: readonly PublishedKey[],
    cancellation: Cancellation,
  ): Promise<JudgedBadge> {
    const key = keys.find(({ fragment }) => fragment === badge.key);
    const isOurs = key !== undefined && canSignAs(badge.issuer, key);
    const organisations = new Set([undefined, ...keys.map(({ organisation }) => organisation)]);
    if (!isOurs && ![...organisations].some((each) => badge.issuer === didOf(each))) return UNKNOWN;
    const isAltered = !isOurs || !badge.isSigned;
    if (badge.record && !isAltered) {
      const { parts, validUntil } = badge.record;
      const judged = parts.map((part) => (part ? verifyBadge(part, keys, cancellation) : UNKNOWN));
      return recordOf(await Promise.all(judged), validUntil);
    }
    const verifyUuid = badgeId.exec(badge.id ?? "")?.[1];
    const verification = verifyUuid === undefined ? undefined : await lookUp(verifyUuid, cancellation);
    if (isAltered) return { verdict: "altered", verification };
    return verification ? asIssued(verification) : UNKNOWN;
  }

  /**
   * Returns whether the key belongs to the issuer: an organisation's keys can't sign for another organisation. The host
   * is ignored, because the service may have moved to another one.
   */
  function canSignAs(issuer: string, { organisation }: PublishedKey): boolean {
    return (
      issuer.startsWith("did:key:") || canBeDidOf(organisation, issuer) || issuer === didOf(organisation)
    );
  }

  return {
    digest,
    async file(file, client, cancellation) {
      const keys = await publishedKeys(null, cancellation);
      const { kind, sha256, badge } = await readFile(file, keys, client);
      if (kind === "pdf") {
        const fileDigest = await digest(sha256, cancellation);
        if (fileDigest.verification) return fileDigest;
      }
      if (!badge) return UNKNOWN;
      const judged = await verifyBadge(badge, keys, cancellation);
      return { ...judged, verdict: verdictAround(kind, judged) };
    },
  };
}

/**
 * Returns the verdict on a file around a badge. The signature covers the badge, but not the page or picture around it,
 * which anyone may have made.
 */
function verdictAround(kind: BadgeFileKind, { verdict, badges }: JudgedBadge): FileVerdict {
  if (kind === "text" || verdict === "unknown" || verdict === "altered") return verdict;
  // An unaltered PDF would have been recognised by its hash, except for a PDF with a learner record, whose hash is not
  // stored.
  return kind === "pdf" && !badges ? "altered" : `badge-${verdict}`;
}

/** Verdicts, the worst first. */
const VERDICTS_BY_SEVERITY = ["altered", "unknown", "withdrawn", "expired"] as const;

function recordOf(badges: readonly JudgedBadge[], validUntil: unknown): JudgedBadge {
  const isOver = !(Date.parse(String(validUntil)) > Date.now());
  const verdicts = [...badges.map(({ verdict }) => verdict), ...(isOver ? ["expired"] : [])];
  const verdict = VERDICTS_BY_SEVERITY.find((each) => verdicts.includes(each)) ?? "genuine";
  return { verdict, verification: undefined, badges };
}

function asIssued(verification: Verification): VerifiedFile & { readonly verdict: Validity } {
  if (verification.isExpired) return { verdict: "expired", verification };
  return { verdict: verification.status === "available" ? "genuine" : "withdrawn", verification };
}
