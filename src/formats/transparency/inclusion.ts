import { toHex } from "#foundation/text/bytes.js";
import { sha256 } from "./sha256.js";

// These functions also run in browsers.

/** Size of a SHA-256 hash, in bytes. Nodes and leaves of the tree have such hashes (RFC 6962, section 2.1). */
export const HASH_SIZE = 32;

export interface Tree {
  readonly size: number;
  readonly root: Uint8Array;
}

export const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export function leafHash(entry: Uint8Array): Buffer {
  return sha256(LEAF, entry);
}

/** Returns whether a proof connects this leaf to this root (RFC 9162, section 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  { size, root }: Tree,
  path: readonly Uint8Array[],
): boolean {
  if (index >= size) return false;
  let [position, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = sha256(NODE, sibling, hash);
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, Math.floor(last / 2)];
    } else hash = sha256(NODE, hash, sibling);
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return last === 0 && isSameHash(hash, root);
}

export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return toHex(one) === toHex(other);
}
