import { writeDidDocument } from "../../badges/did-document.js";
import type { PublicKey } from "../../badges/public-key.js";
import type { Cancellation } from "../../concurrency/cancellation.js";
import { createBatchLoader } from "../../db/batch-loader.js";
import { describeOutage } from "../../db/outage.js";
import type { BadgeDeps } from "./issuer.js";
import { issuerOf } from "./issuer.js";
import { readPublishedKeys } from "./issuer-key-store.js";

const MAX_BATCH = 100;

/**
 * Reads the issuer's DID document, as JSON. It is undefined where the issuer is a did:key, which needs no
 * document.
 */
export type ReadDidDocument = (cancellation: Cancellation) => Promise<string | undefined>;

/**
 * Creates the reader of the DID document. The document lists every key that any process has ever published.
 * During a database outage, the reader answers with the keys that it read last.
 * @returns undefined if no signing keys are configured
 */
export function createReadDidDocument(deps: BadgeDeps): ReadDidDocument | undefined {
  const { database, signingKeys, publicUrl } = deps;
  if (!signingKeys) return undefined;
  let last: readonly PublicKey[] | undefined;
  const lookUp = createBatchLoader(database.reads, MAX_BATCH, async (connection, asked: null[]) => {
    const keys = await readPublishedKeys(connection);
    return asked.map(() => keys);
  });
  return async (cancellation) => {
    const { did, isWeb } = issuerOf(signingKeys, publicUrl());
    if (!isWeb) return undefined;
    try {
      last = await lookUp(null, cancellation);
    } catch (error) {
      if (!last || describeOutage(error) === undefined) throw error;
    }
    return writeDidDocument(did, last);
  };
}
