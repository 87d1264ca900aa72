import { hash } from "node:crypto";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { toBase58 } from "./base58.js";
import { isSignatureBy } from "./is-signature-by.js";
import type { PublicKey, SigningKey } from "./public-key.js";
import { canonicalQuads } from "./quads.js";
import { CRYPTOSUITE, canonicalOptions, readDataIntegrityProof } from "./signed-bytes.js";

export type Document = Readonly<Record<string, unknown>> & { readonly "@context": readonly string[] };

/** W3C vc-di-eddsa, 3.2. */
export interface DataIntegrityProof {
  readonly type: "DataIntegrityProof";
  readonly cryptosuite: typeof CRYPTOSUITE;
  /** RFC 3339. */
  readonly created: string;
  /** DID URL of the key. */
  readonly verificationMethod: string;
  readonly proofPurpose: "assertionMethod";
  /** Multibase. */
  readonly proofValue: string;
}

/**
 * Cache of the hashes of proof options. Badges that are issued together are signed within seconds, so many of their
 * proofs have the same options.
 */
const hashesOfOptions = createBoundedCache<Buffer>(100);

/**
 * Signs a document. The same document, key and time always give the same proof.
 * @param by.verificationMethod DID URL of the key
 * @param by.created RFC 3339 time
 * @throws UnknownShapeError if `canonicalQuads` doesn't support a part of the document
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
  const cacheKey = JSON.stringify([document["@context"], created, verificationMethod]);
  const hashOfOptions = hashesOfOptions(cacheKey, () =>
    digest(canonicalOptions(document["@context"], options)),
  );
  const signature = await by.key.sign(Buffer.concat([hashOfOptions, digest(canonicalQuads(document))]));
  return { ...document, proof: { ...options, proofValue: toBase58(signature) } };
}

/** Returns whether the document's proof is a valid signature by this key over the whole document. */
export function isSignedBy(document: Readonly<Record<string, unknown>>, key: PublicKey): boolean {
  const { signed } = readDataIntegrityProof(document);
  return signed !== undefined && isSignatureBy(key, signed);
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
