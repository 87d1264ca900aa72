import type { Knex } from "#infrastructure/db/query.js";
import { addFigures, countEvents, type Figure } from "./figure-store.js";

/** Counts downloads and verifications in the memory of one process. They are not in the log of events. */
export interface FigureCounter {
  count(kind: Extract<Figure, "downloaded" | "verified">, configurationId: number): void;
  /**
   * Adds the counts to today's figures, and counts new events. Counts that can't be saved are kept for the next call.
   */
  keep(): Promise<void>;
}

/** @param timeZone IANA name of the time zone whose days are counted */
export function createFigureCounter(db: Knex, timeZone: string): FigureCounter {
  /** Counts by kind and configuration. Only configurations of existing credentials occur, so the size is limited. */
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
