import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** A group that takes longer, in milliseconds, does not hold up the next one. */
const SLOW_MS = 100;

/** Limits for a grouping. */
export interface GroupingOptions {
  /** The largest group. */
  readonly size: number;
  /** If true, a group that failed is tried again item by item. */
  readonly isOfOneItem: (error: unknown) => boolean;
  /**
   * A group begins at least this much later than the one before, in milliseconds. What trickles in is thus still
   * handled together. Default: 0.
   */
  readonly apartMs?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Handles together what arrives together. The first item starts at once, alone if it is alone; those that
 * arrive meanwhile are the next group. Nothing waits for a group to fill up.
 * @param together returns the results in the order of the items
 */
export function createGrouping<Item, Result>(
  { size, isOfOneItem, apartMs = 0 }: GroupingOptions,
  together: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isBusy = false;

  async function handle(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await together(group.map(({ item }) => item));
      void deliver(group, results);
    } catch (error) {
      if (group.length > 1 && isOfOneItem(error)) {
        await Promise.all(group.map((each) => handle([each])));
        return;
      }
      for (const { reject } of group) reject(error);
    }
  }

  async function handleWaiting(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    while (waiting.length > 0) {
      const apart = apartMs > 0 && sleep(apartMs);
      await endOrSlowness(handle(waiting.splice(0, size)));
      await apart;
    }
    isBusy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      setImmediate(handleWaiting); // after everything that arrives now
    });
}

/** For so long, in milliseconds, receivers of results may hold up everything else. */
const SLICE_MS = 2;

/**
 * Hands out results together, as what they lead to is grouped again. If receivers take long, it continues in
 * the next turn of the event loop, so that they hold up nobody else.
 */
async function deliver<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  results: readonly Result[],
): Promise<void> {
  let begun = performance.now();
  for (const [index, { resolve }] of group.entries()) {
    resolve(results[index] as Result);
    await undefined; // the receiver works now
    if (performance.now() - begun < SLICE_MS) continue;
    await nextTurn();
    begun = performance.now();
  }
}

/** Resolves when the work has ended, or is slow. */
function endOrSlowness(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
