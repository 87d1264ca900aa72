import { isSignedBy, unknownIn } from "./data-integrity.js";
import { isJwtSignedBy, readJwt } from "./jwt.js";
import { MAX_BADGE, MAX_RECORD } from "./max-badge.js";
import type { PublicKey } from "./public-key.js";

/** The claims of an Open Badge. Nothing is verified until a key is checked. */
export interface UncheckedBadge {
  readonly credential: Readonly<Record<string, unknown>>;
  /** Its own id, an IRI; undefined if it has none. */
  readonly id: string | undefined;
  /** The DID of the claimed issuer. */
  readonly issuer: string;
  /** The DID URL of the key that is claimed to have signed it. */
  readonly keyUrl: string | undefined;
  /**
   * Describes what has no canonical form here, so that its signature can't be verified; undefined if there is
   * nothing of the kind.
   */
  readonly unknown: string | undefined;
  /** Tells whether the key has signed all of it. */
  isSignedBy(key: PublicKey): boolean;
}

/**
 * Reads an Open Badge.
 * @param text JSON, or a JWT
 * @returns undefined if it is not a badge
 */
export function readBadge(text: string): UncheckedBadge | undefined {
  return text.length > MAX_BADGE ? undefined : readCredential(text, "OpenBadgeCredential");
}

/** A Comprehensive Learner Record, of which nothing is verified either. */
export interface UncheckedRecord extends UncheckedBadge {
  /** What it contains; each may be anything. */
  readonly parts: readonly unknown[];
}

/**
 * Reads a learner record.
 * @param text JSON, or a JWT
 * @returns undefined if it is none
 */
export function readRecord(text: string): UncheckedRecord | undefined {
  const read = text.length > MAX_RECORD ? undefined : readCredential(text, "ClrCredential");
  const subject = read?.credential.credentialSubject as { verifiableCredential?: unknown } | null | undefined;
  const parts = subject?.verifiableCredential;
  return read && { ...read, parts: Array.isArray(parts) ? parts : [] };
}

function readCredential(text: string, type: string): UncheckedBadge | undefined {
  const trimmed = text.trim();
  const jwt = readJwt(trimmed);
  const credential = jwt?.payload ?? parse(trimmed);
  const issuer = idOf(credential?.issuer);
  if (!credential || issuer === undefined || !hasType(credential, type)) return undefined;
  const method =
    jwt?.kid ?? (credential.proof as { verificationMethod?: unknown } | null)?.verificationMethod;
  return {
    credential,
    id: typeof credential.id === "string" ? credential.id : undefined,
    issuer,
    keyUrl: typeof method === "string" ? method : undefined,
    unknown: jwt ? undefined : unknownIn(credential),
    isSignedBy: (key) => (jwt ? isJwtSignedBy(trimmed, key) : isSignedBy(credential, key)),
  };
}

/** Returns the IRI of a node, which may consist of the IRI alone. */
export function idOf(node: unknown): string | undefined {
  const id = typeof node === "object" && node !== null ? (node as { id?: unknown }).id : node;
  return typeof id === "string" ? id : undefined;
}

function hasType({ type }: UncheckedBadge["credential"], wanted: string): boolean {
  return Array.isArray(type) && type.includes(wanted);
}

function parse(text: string): UncheckedBadge["credential"] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as UncheckedBadge["credential"]) : undefined;
  } catch {
    return undefined;
  }
}
