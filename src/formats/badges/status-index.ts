import { createHmac } from "node:crypto";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";

/** Credentials per list. This is the minimum that the Bitstring Status List requires for group privacy. */
export const LIST_SIZE = 131_072;

/** An index has 17 bits: 8 in the left half, 9 in the right half. */
const RIGHT_BITS = 9;
const LEFT_SIZE = 1 << 8;
const RIGHT_SIZE = 1 << RIGHT_BITS;

const ROUNDS = 8;

/** Maximum number of lists whose tables are cached. The tables of a list take 6 KiB. */
const MAX_CACHED = 64;

interface StatusIndex {
  readonly list: number;
  readonly index: number;
}

/**
 * Derives the position of a credential's status bit from the credential's internal id, so that positions needn't be
 * stored. A secret permutation per list keeps consecutive credentials apart.
 */
export interface StatusIndexes {
  of(id: number): StatusIndex;
}

/** @param secret must never change, because the bits of issued credentials would move */
export function createStatusIndexes(secret: Uint8Array): StatusIndexes {
  const cache = createBoundedCache<Uint16Array[], number>(MAX_CACHED);
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
 * Permutes a number with an alternating Feistel network. Different numbers give different results, because each round
 * changes one half and depends only on the other half.
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

/** Returns a round's values, by the value of the unchanged half. They are XORed with the other half. */
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
