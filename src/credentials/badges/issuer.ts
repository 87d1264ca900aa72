import { didKey, didWeb, keyUrl } from "../../badges/did-document.js";
import type { PublicKey, SigningKey } from "../../badges/public-key.js";
import type { Database } from "../../db/database.js";
import type { SigningKeys } from "../../settings/signing-keys.js";

/** Dependencies for making badges. */
export interface BadgeDeps {
  readonly database: Database;
  /** If undefined, nothing is signed. */
  readonly signingKeys: SigningKeys | undefined;
  /** Base URL of the service, without a trailing slash. */
  publicUrl(): string;
}

/** The issuer that signs badges and status lists. */
export interface Issuer {
  readonly did: string;
  /** True if the DID document with the issuer's keys is served by this service. */
  readonly isWeb: boolean;
  readonly keys: SigningKeys;
  /** Returns the DID URL of one of the issuer's keys. */
  keyUrl(key: PublicKey): string;
}

/**
 * Chooses the issuer's DID: a did:web if the public URL uses HTTPS, otherwise a did:key. Without HTTPS,
 * nobody could verify who serves the document that a did:web leads to.
 * @param publicUrl base URL of the service, without a trailing slash
 * @param by.key the Ed25519 key that signs; by default the first one
 */
export function issuerOf(
  keys: SigningKeys,
  publicUrl: string,
  { key }: { readonly key?: SigningKey } = {},
): Issuer {
  const isWeb = publicUrl.startsWith("https:");
  const did = isWeb ? didWeb(publicUrl) : didKey(key ?? keys.ed25519);
  return { did, isWeb, keys, keyUrl: (key) => keyUrl(did, key) };
}
