import type { Knex } from "knex";
import { addFigures, countEvents, type Figure } from "./figure-store.js";

/** Counts what leaves no event, in memory, for one process. */
export interface FigureCounter {
  count(kind: Extract<Figure, "downloaded" | "verified">, configurationId: number): void;
  /** Adds what was counted to the figures of today, and counts new events. What fails is added the next time. */
  keep(): Promise<void>;
}

/** @param timeZone IANA name; its days are counted */
export function createFigureCounter(db: Knex, timeZone: string): FigureCounter {
  /** By the configurations of credentials that were found, so it can't grow without bound. */
  let counted = new Map<string, number>();

  const add = (key: string, count: number) => void counted.set(key, (counted.get(key) ?? 0) + count);

  async function keepCounted(): Promise<void> {
    const previous = counted;
    if (previous.size === 0) return;
    counted = new Map();
    try {
      await addFigures(
        db,
        timeZone,
        [...previous].map(([key, count]) => {
          const [kind, configurationId] = key.split(" ");
          return { kind: kind as Figure, configurationId: Number(configurationId), count };
        }),
      );
    } catch (error) {
      for (const [key, count] of previous) add(key, count);
      throw error;
    }
  }

  return {
    count: (kind, configurationId) => add(`${kind} ${configurationId}`, 1),
    async keep() {
      await keepCounted();
      while (await countEvents(db, timeZone));
    },
  };
}
