import { isSignedBy, unknownIn } from "./data-integrity.js";
import { isJwtSignedBy, readJwt } from "./jwt.js";
import type { PublicKey } from "./public-key.js";

/** Larger texts are not read: ours have 4 KB. */
const MAX_LENGTH = 256 * 1024;

/** An Open Badge as it says itself to be. Nothing of it is checked, until a key is. */
export interface UncheckedBadge {
  readonly credential: Readonly<Record<string, unknown>>;
  /** Its own, an IRI; undefined when it has none. */
  readonly id: string | undefined;
  /** The DID of who is said to have issued it. */
  readonly issuer: string;
  /** The DID URL of the key that is said to have signed it. */
  readonly keyUrl: string | undefined;
  /** What it says that has no canonical form here, so that nobody can tell here whether it is signed. */
  readonly unknown: string | undefined;
  /** Whether the key has signed all that it says. */
  isSignedBy(key: PublicKey): boolean;
}

/**
 * Reads an Open Badge.
 * @param text JSON, or a JWT
 * @returns undefined when it is none
 */
export function readBadge(text: string): UncheckedBadge | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.trim();
  const jwt = readJwt(trimmed);
  const credential = jwt?.payload ?? parse(trimmed);
  const issuer = idOf(credential?.issuer);
  if (!credential || issuer === undefined || !isOpenBadge(credential)) return undefined;
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

/** The IRI of a node, which may be given by that alone. */
export function idOf(node: unknown): string | undefined {
  const id = typeof node === "object" && node !== null ? (node as { id?: unknown }).id : node;
  return typeof id === "string" ? id : undefined;
}

function isOpenBadge({ type }: UncheckedBadge["credential"]): boolean {
  return Array.isArray(type) && type.includes("OpenBadgeCredential");
}

function parse(text: string): UncheckedBadge["credential"] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as UncheckedBadge["credential"]) : undefined;
  } catch {
    return undefined;
  }
}
