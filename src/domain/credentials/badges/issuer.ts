import { didKey, didWeb, keyUrl } from "#formats/badges/did-document.js";
import { issuerUrl } from "#formats/badges/issuer-url.js";
import type { PublicKey, SigningKey } from "#formats/badges/public-key.js";
import { failedPrecondition, type Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { IssuerKeys, SigningKeys } from "../../keys/signing-keys.js";

export interface BadgeDeps {
  readonly database: Database;
  /** Undefined if the service signs nothing. */
  readonly signingKeys: SigningKeys | undefined;
  readonly publicUrl: string;
}

/** The issuer that signs badges and status lists. */
export interface Issuer {
  readonly did: string;
  /** Whether this service serves the issuer's DID document. */
  readonly isWeb: boolean;
  readonly keys: IssuerKeys;
  /** Returns the DID URL of a key. */
  keyUrl(key: PublicKey): string;
}

/**
 * Chooses a did:web if the public URL uses HTTPS, otherwise a did:key. Without HTTPS, verifiers could not tell who
 * serves the document of a did:web.
 * @param publicUrl without a trailing slash
 * @param by.key the Ed25519 key that signs; default: the first one
 * @param by.organisation owner of the keys; default: the service itself
 */
export function issuerOf(
  keys: IssuerKeys,
  publicUrl: string,
  { key, organisation }: { readonly key?: SigningKey; readonly organisation?: string | undefined } = {},
): Issuer {
  const isWeb = isHttps(publicUrl);
  const did = isWeb ? didWeb(issuerUrl(publicUrl, organisation)) : didKey(key ?? keys.ed25519);
  return { did, isWeb, keys, keyUrl: (key) => keyUrl(did, key) };
}

/**
 * Returns the DID under which an issuer currently signs, or `undefined` if it signs nothing.
 * @param organisation undefined for the service itself
 */
export type DidOf = (organisation: string | undefined) => string | undefined;

/** Without signing keys, the created function returns `undefined`. */
export function createDidOf({ signingKeys, publicUrl }: Omit<BadgeDeps, "database">): DidOf {
  return (organisation) => {
    if (!signingKeys) return undefined;
    // A did:web doesn't depend on the keys. If this process lacks the organisation's keys, the service's own keys give
    // the same DID, under which verifiers find the keys of the organisation's existing badges.
    const keys = signingKeys.of(organisation) ?? (isHttps(publicUrl) ? signingKeys.own : undefined);
    return keys && issuerOf(keys, publicUrl, { organisation }).did;
  };
}

export function signsNothing(): Problem {
  return failedPrecondition(
    "This service signs no Open Badges: set SIGNING_KEY_FILES to its key files, or leave it empty and set SETTINGS_SECRET, with which the service creates keys and stores them encrypted. Then restart the service.",
  );
}

function isHttps(url: string): boolean {
  return url.startsWith("https:");
}
