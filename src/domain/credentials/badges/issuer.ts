import { didKey, didWeb, keyUrl } from "#formats/badges/did-document.js";
import { issuerUrl } from "#formats/badges/issuer-url.js";
import type { PublicKey, SigningKey } from "#formats/badges/public-key.js";
import { failedPrecondition, type Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import type { IssuerKeys, SigningKeys } from "../../keys/signing-keys.js";

/** Dependencies for making badges. */
export interface BadgeDeps {
  readonly database: Database;
  /** If undefined, nothing is signed. */
  readonly signingKeys: SigningKeys | undefined;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
}

/** The issuer that signs badges and status lists. */
export interface Issuer {
  readonly did: string;
  /** True if the DID document with the issuer's keys is served by this service. */
  readonly isWeb: boolean;
  readonly keys: IssuerKeys;
  /** Returns the DID URL of one of the issuer's keys. */
  keyUrl(key: PublicKey): string;
}

/**
 * Chooses the issuer's DID: a did:web if the public URL uses HTTPS, otherwise a did:key. Without HTTPS,
 * nobody could verify who serves the document that a did:web leads to.
 * @param publicUrl base URL of the service, without a trailing slash
 * @param by.key the Ed25519 key that signs; by default the first one
 * @param by.organisation whose keys these are; by default the service's own
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
 * Returns the DID under which an issuer signs now.
 * @param organisation undefined: the service itself
 */
export type DidOf = (organisation: string | undefined) => string | undefined;

/** @returns a function whose result is undefined if no keys are configured for an issuer that needs them */
export function createDidOf({ signingKeys, publicUrl }: Omit<BadgeDeps, "database">): DidOf {
  return (organisation) => {
    if (!signingKeys) return undefined;
    // An organisation without keys here may still have badges that verify.
    const keys = signingKeys.of(organisation) ?? (isHttps(publicUrl) ? signingKeys.own : undefined);
    return keys && issuerOf(keys, publicUrl, { organisation }).did;
  };
}

export function signsNothing(): Problem {
  return failedPrecondition("This service signs no Open Badges: SIGNING_KEY_FILES is not set.");
}

function isHttps(url: string): boolean {
  return url.startsWith("https:");
}
