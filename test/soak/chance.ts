import { draw } from "../../src/sample-data/draw.js";

/** Random choices, the same for the same seed in the same order. */
export interface Chance {
  /** From 0 up to 1. */
  next(): number;
  /** From 0 up to the number. */
  below(limit: number): number;
  /** One of them; undefined when there is none. */
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
