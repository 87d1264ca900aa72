import { didKey, didWeb, keyUrl } from "../../badges/did-document.js";
import type { PublicKey } from "../../badges/public-key.js";
import type { SigningKeys } from "../../settings/signing-keys.js";

/** Who signs. */
export interface Issuer {
  readonly did: string;
  /** Whether its keys are in a document that this service serves. */
  readonly isWeb: boolean;
  readonly keys: SigningKeys;
  /** The DID URL of one of its keys. */
  keyUrl(key: PublicKey): string;
}

/**
 * Without HTTPS nobody can tell whose document a did:web leads to: then the key itself is the issuer.
 * @param publicUrl where the service is reached, without a slash at its end
 */
export function issuerOf(keys: SigningKeys, publicUrl: string): Issuer {
  const isWeb = publicUrl.startsWith("https:");
  const did = isWeb ? didWeb(publicUrl) : didKey(keys.ed25519);
  return { did, isWeb, keys, keyUrl: (key) => keyUrl(did, key) };
}
