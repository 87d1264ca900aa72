import { createHmac } from "node:crypto";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";

/** Number of credentials that share a list: the minimum that the Bitstring Status List requires for group privacy. */
export const LIST_SIZE = 131_072;

/** An index has 17 bits: 8 in the left half, 9 in the right half. */
const RIGHT_BITS = 9;
const LEFT_SIZE = 1 << 8;
const RIGHT_SIZE = 1 << RIGHT_BITS;

const ROUNDS = 8;

/** Number of lists whose tables are cached. The tables of one list take 12 KiB. */
const MAX_KEPT = 64;

/** Position of a credential's bit: which list, and the index in it. */
export interface StatusIndex {
  readonly list: number;
  readonly index: number;
}

/**
 * Derives positions from the credentials' internal ids, so that they needn't be allocated or stored. Within a list, a
 * secret permutation determines the order, so that consecutive credentials aren't neighbours.
 */
export interface StatusIndexes {
  of(id: number): StatusIndex;
}

/** @param secret must never change, because the bits of issued credentials would move */
export function createStatusIndexes(secret: Uint8Array): StatusIndexes {
  const cache = createBoundedCache<Uint16Array[], number>(MAX_KEPT);
  const tablesOf = (list: number) =>
    cache(list, () => Array.from({ length: ROUNDS }, (_, round) => roundTable(secret, list, round)));
  return {
    of(id) {
      if (!Number.isSafeInteger(id) || id < 0) throw new RangeError(`${id} is not an id of a credential`);
      const list = Math.floor(id / LIST_SIZE);
      return { list, index: permute(tablesOf(list), id % LIST_SIZE) };
    },
  };
}

/**
 * Permutes with an alternating Feistel network. Each round changes one half depending only on the other half, so no two
 * numbers collide.
 */
function permute(tables: readonly Uint16Array[], number: number): number {
  let left = number >> RIGHT_BITS;
  let right = number & (RIGHT_SIZE - 1);
  for (const [round, table] of tables.entries()) {
    if (round % 2 === 0) left ^= table[right] ?? 0;
    else right ^= table[left] ?? 0;
  }
  return (left << RIGHT_BITS) | right;
}

/** Returns a round's values for each value of one half; the round combines them into the other half. */
function roundTable(secret: Uint8Array, list: number, round: number): Uint16Array {
  const changesLeft = round % 2 === 0;
  const table = new Uint16Array(changesLeft ? RIGHT_SIZE : LEFT_SIZE);
  const mask = (changesLeft ? LEFT_SIZE : RIGHT_SIZE) - 1;
  for (let from = 0; from < table.length; from += 16) {
    const bytes = createHmac("sha256", secret).update(`status index ${list} ${round} ${from}`).digest();
    for (let i = 0; i < 16; i++) table[from + i] = bytes.readUInt16BE(2 * i) & mask;
  }
  return table;
}
