import fc from "fast-check";
import { expect, test } from "vitest";
import { shorten, truncate } from "#foundation/shorten.js";

test.each([
  ["", 3, "", ""],
  ["abc", 3, "abc", "abc"],
  ["abcd", 3, "abc", "ab…"],
  ["a🎓b", 4, "a🎓b", "a🎓b"],
  ["a🎓bc", 4, "a🎓b", "a🎓…"],
  ["ab🎓", 3, "ab", "ab…"],
  ["🎓🎓", 2, "🎓", "…"],
])("shortens %j to %d characters", (text, max, cut, marked) => {
  expect(truncate(text, max)).toBe(cut);
  expect(shorten(text, max)).toBe(marked);
});

test("never exceeds the limit, and never cuts a character apart", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 20 }), (text, max) => {
      const short = shorten(text, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(short.isWellFormed()).toBe(true);
      if (text.length <= max) expect(short).toBe(text);
    }),
  );
});
