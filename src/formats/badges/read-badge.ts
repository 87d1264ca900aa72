import { isObject } from "#foundation/text/is-object.js";
import { parseJson } from "#foundation/text/read-json.js";
import { MAX_BADGE, MAX_RECORD } from "./max-badge.js";
import { readJwt } from "./read-jwt.js";
import { type ReadDataIntegrityProof, readDataIntegrityProof } from "./signed-bytes.js";

type Json = Readonly<Record<string, unknown>>;

/** The claims of an Open Badge, unverified. */
export interface UncheckedBadge extends ReadDataIntegrityProof {
  readonly credential: Json;
  /** An IRI. */
  readonly id: string | undefined;
  /** The DID of the claimed issuer. */
  readonly issuer: string;
  /** DID URL of the key that the badge claims as its signer. */
  readonly keyUrl: string | undefined;
  /** Describes a member that occurs twice in an object. If there is such a member, `signed` is undefined. */
  readonly repeated: string | undefined;
}

/**
 * Parses an Open Badge.
 * @param text JSON, or a JWT
 * @returns undefined if the text is not a badge
 */
export function readBadge(text: string): UncheckedBadge | undefined {
  return text.length > MAX_BADGE ? undefined : readCredential(text, "OpenBadgeCredential");
}

/** A Comprehensive Learner Record, unverified. */
interface UncheckedRecord extends UncheckedBadge {
  /** Badges in the record, not validated. */
  readonly parts: readonly unknown[];
}

/**
 * Parses a learner record.
 * @param text JSON, or a JWT
 * @returns undefined if the text is not a learner record
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
  const { value, repeated } = jwt ? { value: jwt.payload, repeated: jwt.repeated } : parse(trimmed);
  if (!isObject(value) || !hasType(value, type)) return undefined;
  const issuer = idOf(value.issuer);
  if (issuer === undefined) return undefined;
  const keyUrl = jwt ? jwt.kid : isObject(value.proof) ? value.proof.verificationMethod : undefined;
  const proof: ReadDataIntegrityProof = jwt
    ? { signed: jwt.signed, unknown: undefined }
    : readDataIntegrityProof(value);
  return {
    ...proof,
    ...(repeated !== undefined && { signed: undefined }),
    credential: value,
    id: typeof value.id === "string" ? value.id : undefined,
    issuer,
    keyUrl: typeof keyUrl === "string" ? keyUrl : undefined,
    repeated,
  };
}

/** Returns the IRI of a node. A node is an object with an `id`, or the IRI itself. */
export function idOf(node: unknown): string | undefined {
  const id = isObject(node) ? node.id : node;
  return typeof id === "string" ? id : undefined;
}

function hasType({ type }: Json, wanted: string): boolean {
  return Array.isArray(type) && type.includes(wanted);
}

function parse(text: string): ReturnType<typeof parseJson> {
  try {
    return parseJson(text);
  } catch {
    return { value: undefined, repeated: undefined };
  }
}
