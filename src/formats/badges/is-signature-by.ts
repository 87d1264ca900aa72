import { createPublicKey, verify } from "node:crypto";
import type { PublicKey } from "./public-key.js";
import type { SignedBytes } from "./signed-bytes.js";

export function isSignatureBy(
  { algorithm, jwk }: Pick<PublicKey, "algorithm" | "jwk">,
  signed: SignedBytes,
): boolean {
  if (algorithm !== signed.algorithm) return false;
  const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
  const { bytes, signature } = signed;
  return algorithm === "Ed25519"
    ? verify(null, bytes, key, signature)
    : verify("sha256", bytes, { key, dsaEncoding: "ieee-p1363" }, signature);
}
