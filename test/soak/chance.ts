import { draw } from "#app/sample-data/draw.js";

/** Seeded random choices. The same seed gives the same choices in the same order. */
export interface Chance {
  /** A random number that is at least 0 and less than 1. */
  next(): number;
  /** A random integer that is at least 0 and less than the limit. */
  below(limit: number): number;
  /** A random element. Undefined if there is none. */
  pick<T>(from: readonly T[]): T | undefined;
  pickByWeight<T extends { readonly weight: number }>(from: readonly T[]): T;
}

export function createChance(...seed: readonly (string | number)[]): Chance {
  let drawn = 0;
  const next = () => draw(...seed, drawn++);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (from) => from[below(from.length)],
    pickByWeight(from) {
      let left = next() * from.reduce((sum, { weight }) => sum + weight, 0);
      const picked = from.find(({ weight }) => {
        left -= weight;
        return left < 0;
      });
      return picked ?? (from[0] as (typeof from)[number]);
    },
  };
}
