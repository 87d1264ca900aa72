import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Milliseconds after which the next group starts, even if the current group is still running. */
const SLOW_MS = 100;

interface GroupingOptions {
  /** Maximum number of items in a group. */
  readonly size: number;
  /** Returns true if a single item may have caused the error. The group's items are then retried individually. */
  readonly isOfOneItem: (error: unknown) => boolean;
  /**
   * Minimum time between the starts of two groups in milliseconds, so that items that arrive one after another are
   * grouped. Default: 0
   */
  readonly apartMs?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Groups items that arrive at the same time. The first items are processed at once; items that arrive meanwhile form
 * the next group. No group waits to fill up.
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
      await endOrTimeout(handle(waiting.splice(0, size)));
      await apart;
    }
    isBusy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      setImmediate(handleWaiting); // after all items of this turn of the event loop
    });
}

/** How long receivers may block the event loop, in milliseconds. */
const SLICE_MS = 2;

/**
 * Delivers the results of a group together, so that new items that their receivers add end up in one group, too. If
 * receivers take long, the remaining results are delivered in the next turn of the event loop, so that other work isn't
 * blocked.
 */
async function deliver<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  results: readonly Result[],
): Promise<void> {
  let startedAt = performance.now();
  for (const [index, { resolve }] of group.entries()) {
    resolve(results[index] as Result);
    await undefined; // lets the receiver run
    if (performance.now() - startedAt < SLICE_MS) continue;
    await nextTurn();
    startedAt = performance.now();
  }
}

/** Resolves when the work has ended, or after `SLOW_MS`. */
function endOrTimeout(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
