import { writeDidDocument } from "#formats/badges/did-document.js";
import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import type { BadgeDeps } from "./issuer.js";
import { issuerOf } from "./issuer.js";
import { createPublishedKeys, type PublishedKey } from "./issuer-key-store.js";

/**
 * Returns an issuer's DID document as JSON. Returns `undefined` for a did:key, which needs no document, and for an
 * organisation that has no published keys, or only revoked ones.
 * @param organisation undefined for the service itself
 */
export type ReadDidDocument = (
  organisation: string | undefined,
  cancellation: Cancellation,
) => Promise<string | undefined>;

/**
 * Creates the reader of DID documents, which list every key that any process has ever published for the issuer, except
 * revoked keys. During a database outage, the reader uses the keys of its last successful read.
 * @returns undefined if no signing keys are configured
 */
export function createReadDidDocument(deps: BadgeDeps): ReadDidDocument | undefined {
  const { database, signingKeys, publicUrl } = deps;
  if (!signingKeys) return undefined;
  let last: readonly PublishedKey[] | undefined;
  const publishedKeys = createPublishedKeys(database);
  return async (organisation, cancellation) => {
    const { did, isWeb } = issuerOf(signingKeys.own, publicUrl, { organisation });
    if (!isWeb) return undefined;
    try {
      last = await publishedKeys(null, cancellation);
    } catch (error) {
      if (!last || describeOutage(error) === undefined) throw error;
    }
    const keys = last.filter((key) => key.organisation === organisation);
    return keys.length === 0 && organisation !== undefined ? undefined : writeDidDocument(did, keys);
  };
}
