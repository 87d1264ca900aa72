import { hash } from "node:crypto";
import { fromBase58 } from "./base58.js";
import { canonicalQuads, UnknownShapeError } from "./quads.js";

/** The cryptosuite that all wallets, verifiers and 1EdTech's certification support. */
export const CRYPTOSUITE = "eddsa-rdfc-2022";

/** A signature and the bytes that it covers, unverified. */
export interface SignedBytes {
  readonly algorithm: "Ed25519" | "P-256";
  readonly bytes: Uint8Array;
  /** A P-256 signature is r and s, with 32 bytes each, over the SHA-256 hash of the bytes. */
  readonly signature: Uint8Array;
}

export interface ReadDataIntegrityProof {
  /** undefined if no key could have made the proof. */
  readonly signed: SignedBytes | undefined;
  /**
   * Describes an unsupported kind of proof, or a part of the document without an implemented canonical form. Another
   * issuer may have signed such a document correctly, but this service can't verify it.
   */
  readonly unknown: string | undefined;
}

/** Parses the Data Integrity proof of a document. The proof covers the whole document. */
export function readDataIntegrityProof(document: Readonly<Record<string, unknown>>): ReadDataIntegrityProof {
  const { proof, ...unsigned } = document;
  const isObject = typeof proof === "object" && proof !== null;
  const { proofValue, ...options } = (isObject ? proof : {}) as Record<string, unknown>;
  const isKnown = options.type === "DataIntegrityProof" && options.cryptosuite === CRYPTOSUITE;
  if (isObject && !isKnown) return { signed: undefined, unknown: "its kind of proof is not supported." };
  let canonical: string;
  try {
    canonical = canonicalQuads(unsigned);
  } catch (error) {
    if (error instanceof UnknownShapeError) return { signed: undefined, unknown: error.message };
    throw error;
  }
  const signature = typeof proofValue === "string" ? fromBase58(proofValue) : undefined;
  if (signature?.length !== 64 || options.proofPurpose !== "assertionMethod")
    return { signed: undefined, unknown: undefined };
  try {
    const hashes = sha256(canonicalOptions(unsigned["@context"], options)) + sha256(canonical);
    const bytes = Uint8Array.from(hashes.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const signed: SignedBytes = { algorithm: "Ed25519", bytes, signature: Uint8Array.from(signature) };
    return { signed, unknown: undefined };
  } catch (error) {
    if (error instanceof UnknownShapeError) return { signed: undefined, unknown: undefined };
    throw error;
  }
}

/** Returns the canonical form of a proof's options, in the context of the proof's document. */
export function canonicalOptions(context: unknown, options: Readonly<Record<string, unknown>>): string {
  return canonicalQuads({ "@context": context, ...options });
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
