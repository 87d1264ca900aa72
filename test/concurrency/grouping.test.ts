import { setImmediate as soon } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createGrouping } from "#foundation/concurrency/grouping.js";

/** Creates a grouping whose groups end when the test ends them. */
function openGrouping({ size = 100, isOfOneItem = true, apartMs = 0 } = {}) {
  const groups: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const add = createGrouping<number, string>(
    { size, isOfOneItem: () => isOfOneItem, apartMs },
    async (items) => {
      await new Promise<void>((resolve, reject) => {
        groups.push({ items, end: resolve, fail: reject });
      });
      return items.map((item) => `done ${item}`);
    },
  );
  return { groups, add, seen: () => groups.map(({ items }) => items) };
}

describe("a grouping", () => {
  test("starts with the first item immediately, alone", async () => {
    const { add, groups, seen } = openGrouping();
    const one = add(1);
    await soon();
    expect(seen()).toEqual([[1]]);
    groups[0]?.end();
    expect(await one).toBe("done 1");
  });

  test("handles items together that arrive together, or meanwhile", async () => {
    const { add, groups, seen } = openGrouping();
    const first = [1, 2, 3].map(add);
    await soon();
    const second = [4, 5].map(add);
    await soon();
    expect(seen()).toEqual([[1, 2, 3]]);
    groups[0]?.end();
    expect(await Promise.all(first)).toEqual(["done 1", "done 2", "done 3"]);
    await soon();
    groups[1]?.end();
    expect(await Promise.all(second)).toEqual(["done 4", "done 5"]);
    expect(seen()).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  test("handles items together that trickle in until the next group may start", async () => {
    const { add, groups, seen } = openGrouping({ apartMs: 500 });
    const first = add(1);
    await soon();
    groups[0]?.end();
    await first;
    const later = [add(2)];
    await soon();
    later.push(add(3));
    await expect.poll(seen).toEqual([[1], [2, 3]]);
    groups[1]?.end();
    await Promise.all(later);
  });

  test("is never larger than its size", async () => {
    const { add, groups, seen } = openGrouping({ size: 2 });
    const all = [1, 2, 3].map(add);
    await soon();
    groups[0]?.end();
    await Promise.all(all.slice(0, 2));
    await soon();
    groups[1]?.end();
    await Promise.all(all);
    expect(seen()).toEqual([[1, 2], [3]]);
  });

  test("that is slow does not delay the next one", async () => {
    const { add, groups, seen } = openGrouping();
    const slow = add(1);
    await soon();
    const next = add(2);
    await expect.poll(seen).toEqual([[1], [2]]);
    groups[1]?.end();
    expect(await next).toBe("done 2");
    groups[0]?.end();
    await slow;
  });

  test("tries each item alone if one of them may have caused the error", async () => {
    const { add, groups, seen } = openGrouping();
    const all = Promise.allSettled([1, 2].map(add));
    await soon();
    groups[0]?.fail(new Error("a bad item"));
    await expect.poll(seen).toEqual([[1, 2], [1], [2]]);
    groups[1]?.end();
    groups[2]?.fail(new Error("this one"));
    expect(await all).toEqual([
      { status: "fulfilled", value: "done 1" },
      { status: "rejected", reason: new Error("this one") },
    ]);
  });

  test("fails as a whole if no single item caused the error", async () => {
    const { add, groups, seen } = openGrouping({ isOfOneItem: false });
    const all = Promise.allSettled([1, 2].map(add));
    await soon();
    groups[0]?.fail(new Error("an outage"));
    expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(seen()).toEqual([[1, 2]]);
  });
});
