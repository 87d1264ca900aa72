import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSlots } from "#foundation/concurrency/slots.js";

describe("slots", () => {
  test("hold what was added and not removed, however often it is removed", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), (steps) => {
        const slots = createSlots<{ n: number }>();
        const held: { item: { n: number }; slot: number }[] = [];
        const removed: typeof held = [];
        for (const step of steps) {
          const gone = step % 3 === 0 ? held.splice(step % (held.length || 1), 1)[0] : undefined;
          if (gone) removed.push(gone);
          else if (step % 3 > 0) {
            const item = { n: step };
            held.push({ item, slot: slots.add(item) });
          }
          for (const { item, slot } of removed) slots.remove(item, slot);
        }
        expect(slots.size).toBe(held.length);
        expect(new Set(slots)).toEqual(new Set(held.map(({ item }) => item)));
      }),
    );
  });
});
