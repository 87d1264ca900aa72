const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns a pseudorandom number from 0 (inclusive) to 1 (exclusive). It depends only on the given words, so adding a
 * learner doesn't change the numbers of others. Uses FNV-1a, finished as in MurmurHash3.
 */
export function draw(...words: readonly (string | number)[]): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(words.join("\n"))) hash = Math.imul(hash ^ byte, FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
