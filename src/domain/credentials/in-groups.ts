import { createGrouping } from "#foundation/concurrency/grouping.js";
import { outageOf } from "#infrastructure/jobs/outage-of.js";

/** Whether a statement waits for locked rows or leaves them out. */
export type LockMode = "wait" | "leave out";

export const forUpdate: Readonly<Record<LockMode, string>> = {
  wait: "for update",
  "leave out": "for update skip locked",
};

const GROUPS = { size: 100, isOfOneItem: (error: unknown) => outageOf(error) === undefined };

/**
 * Batches concurrent queries. A batch skips locked rows. Items without a result are then queried one by one.
 * @param run returns `undefined` for an item that was locked, or that is not in the expected state
 */
export function inGroups<Item, Result>(
  run: (items: readonly Item[], lockMode: LockMode) => Promise<readonly (Result | undefined)[]>,
  { apartMs = 0 } = {},
): (item: Item) => Promise<Result | undefined> {
  const inGroup = createGrouping<Item, { readonly result: Result | undefined; readonly isFinal: boolean }>(
    { ...GROUPS, apartMs },
    async (items) => {
      const isFinal = items.length === 1;
      const results = await run(items, isFinal ? "wait" : "leave out");
      return results.map((result) => ({ result, isFinal }));
    },
  );
  return async (item) => {
    const { result, isFinal } = await inGroup(item);
    if (result !== undefined || isFinal) return result;
    const [alone] = await run([item], "wait");
    return alone;
  };
}
