import { hash, verify } from "node:crypto";
import { createBoundedCache } from "../concurrency/bounded-cache.js";
import { fromBase58, toBase58 } from "./base58.js";
import { keyObjectOf, type PublicKey, type SigningKey } from "./public-key.js";
import { canonicalQuads, UnknownShapeError } from "./quads.js";

/** The cryptosuite that wallets, verifiers and 1EdTech's certification all support. */
const CRYPTOSUITE = "eddsa-rdfc-2022";

/** A document, signed or unsigned. */
export type Document = Readonly<Record<string, unknown>> & { readonly "@context": readonly string[] };

/** A Data Integrity proof of a document (W3C vc-di-eddsa, 3.2). */
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

/** The badges of a run were issued in few seconds, so their proofs have the same options. */
const hashesOfOptions = createBoundedCache<Buffer>(100);

/**
 * Signs a document. The same document, key and time always give the same proof.
 * @param by.verificationMethod DID URL of the key
 * @param by.created RFC 3339
 * @throws UnknownShapeError if part of the document has no canonical form here
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
  const hashOfOptions = hashesOfOptions(known, () => digest(canonicalOptions(document, options)));
  const signature = await by.key.sign(Buffer.concat([hashOfOptions, digest(canonicalQuads(document))]));
  return { ...document, proof: { ...options, proofValue: toBase58(signature) } };
}

/**
 * Tells whether the document's proof was made with the key and covers the whole document. A document without
 * a canonical form here was not signed by this service, so the result is false, too.
 */
export function isSignedBy(document: Readonly<Record<string, unknown>>, key: PublicKey): boolean {
  const { proof, ...unsigned } = document;
  if (typeof proof !== "object" || proof === null || key.algorithm !== "Ed25519") return false;
  const { proofValue, ...options } = proof as Record<string, unknown>;
  if (!isKnownProof(options) || options.proofPurpose !== "assertionMethod") return false;
  if (typeof proofValue !== "string") return false;
  const signature = fromBase58(proofValue);
  if (signature?.length !== 64) return false;
  try {
    return verify(null, signedBytes(unsigned as Document, options), keyObjectOf(key), signature);
  } catch (error) {
    if (error instanceof UnknownShapeError) return false;
    throw error;
  }
}

function isKnownProof({ type, cryptosuite }: Readonly<Record<string, unknown>>): boolean {
  return type === "DataIntegrityProof" && cryptosuite === CRYPTOSUITE;
}

/**
 * Describes what in the document has no canonical form here, or a proof of another kind. Other issuers may have
 * signed such a document, but this service can't verify it.
 * @returns undefined if there is nothing of the kind
 */
export function unknownIn(document: Readonly<Record<string, unknown>>): string | undefined {
  const { proof, ...unsigned } = document;
  if (typeof proof === "object" && proof !== null && !isKnownProof(proof as Record<string, unknown>))
    return "its proof is of an unknown kind.";
  try {
    canonicalQuads(unsigned);
    return undefined;
  } catch (error) {
    if (error instanceof UnknownShapeError) return error.message;
    throw error;
  }
}

/** Returns the bytes to sign: the hash of the proof's options, then that of the document. */
function signedBytes(document: Document, options: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.concat([digest(canonicalOptions(document, options)), digest(canonicalQuads(document))]);
}

function canonicalOptions(document: Document, options: Readonly<Record<string, unknown>>): string {
  return canonicalQuads({ "@context": document["@context"], ...options });
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
