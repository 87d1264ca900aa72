import { hash } from "node:crypto";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { toBase58 } from "./base58.js";
import { isSignatureBy } from "./is-signature-by.js";
import type { PublicKey, SigningKey } from "./public-key.js";
import { canonicalQuads } from "./quads.js";
import { CRYPTOSUITE, canonicalOptions, readProof } from "./signed-bytes.js";

/** A document, signed or unsigned. */
export type Document = Readonly<Record<string, unknown>> & { readonly "@context": readonly string[] };

/** A Data Integrity proof of a document (W3C vc-di-eddsa, 3.2). */
export interface DataIntegrityProof {
  readonly type: "DataIntegrityProof";
  readonly cryptosuite: typeof CRYPTOSUITE;
  /** RFC 3339 time. */
  readonly created: string;
  /** DID URL of the key. */
  readonly verificationMethod: string;
  readonly proofPurpose: "assertionMethod";
  /** Signature in multibase. */
  readonly proofValue: string;
}

/** Badges that are issued together are signed within few seconds, so their proofs have the same options. */
const hashesOfOptions = createBoundedCache<Buffer>(100);

/**
 * Signs a document. The same document, key and time always give the same proof.
 * @param by.verificationMethod DID URL of the key
 * @param by.created RFC 3339 time
 * @throws UnknownShapeError if a part of the document isn't supported by `canonicalQuads`
 */
export async function signDocument<D extends Document>(
  document: D,
  by: { readonly key: SigningKey; readonly verificationMethod: string; readonly created: string },
): Promise<D & { readonly proof: DataIntegrityProof }> {
  const options: Omit<DataIntegrityProof, "proofValue"> = {
    type: "DataIntegrityProof",
    cryptosuite: CRYPTOSUITE,
    created: by.created,
    verificationMethod: by.verificationMethod,
    proofPurpose: "assertionMethod",
  };
  const { created, verificationMethod } = by;
  const known = JSON.stringify([document["@context"], created, verificationMethod]);
  const hashOfOptions = hashesOfOptions(known, () => digest(canonicalOptions(document["@context"], options)));
  const signature = await by.key.sign(Buffer.concat([hashOfOptions, digest(canonicalQuads(document))]));
  return { ...document, proof: { ...options, proofValue: toBase58(signature) } };
}

/** Returns whether the document's proof was made with the key and covers the whole document. */
export function isSignedBy(document: Readonly<Record<string, unknown>>, key: PublicKey): boolean {
  const { signed } = readProof(document);
  return signed !== undefined && isSignatureBy(key, signed);
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
