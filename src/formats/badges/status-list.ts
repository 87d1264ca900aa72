import { gzipSync } from "node:zlib";
import { CREDENTIALS_CONTEXT } from "./contexts.js";
import { MULTIBASE_PREFIX } from "./status-bit.js";
import { LIST_SIZE } from "./status-index.js";

/** Returns a list with these bits set; index 0 is the leftmost bit of the first byte. */
export function statusBits(revoked: Iterable<number>): Uint8Array {
  const bits = new Uint8Array(LIST_SIZE / 8);
  for (const index of revoked) bits[index >> 3] = (bits[index >> 3] ?? 0) | (0x80 >> (index & 7));
  return bits;
}

/** The contents of an unsigned status list credential (W3C Bitstring Status List 1.0). */
interface StatusListFacts {
  readonly url: string;
  readonly issuer: string;
  readonly bits: Uint8Array;
  readonly validFrom: Date;
  /** When a copy of the list expires. */
  readonly validUntil: Date;
  /** Seconds for which verifiers may cache the list. */
  readonly maxAge: number;
}

export type StatusListCredential = ReturnType<typeof statusListCredential>;

export function statusListCredential({ url, issuer, bits, validFrom, validUntil, maxAge }: StatusListFacts) {
  return {
    "@context": [CREDENTIALS_CONTEXT],
    id: url,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    issuer,
    validFrom: `${validFrom.toISOString().slice(0, 19)}Z`,
    validUntil: `${validUntil.toISOString().slice(0, 19)}Z`,
    credentialSubject: {
      id: `${url}#list`,
      type: "BitstringStatusList",
      statusPurpose: "revocation",
      encodedList: MULTIBASE_PREFIX + gzipSync(bits).toString("base64url"),
      ttl: maxAge * 1000,
    },
  };
}
