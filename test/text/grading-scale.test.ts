import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type GradingScale,
  readGrade,
  readPoints,
  spellingsOfAtLeast,
} from "#foundation/text/grading-scale.js";
import { pointsOf } from "#foundation/text/points.js";
import { gradeIn } from "#foundation/text/printed-numbers.js";

const words = { passed: "Passed", notPassed: "Not passed" };

test.each([
  ["german", "1,3", "1.3"],
  ["german", "2", "2.0"],
  ["german", "5.0", "5.0"],
  ["german", "5,1", undefined],
  ["german", "0,9", undefined],
  ["german", "1,35", undefined],
  ["german", "١٫٣", "1.3"],
  ["italian", "28", "28"],
  ["italian", "28/30", "28"],
  ["italian", "30 e lode", "30L"],
  ["italian", "30 con lode", "30L"],
  ["italian", "30L", "30L"],
  ["italian", "29 e lode", undefined],
  ["italian", "31", undefined],
  ["letter", " B+ ", "B+"],
  ["letter", "", undefined],
] as const)("on the scale %s, %j is read as %j", (name, text, expected) => {
  expect(readGrade(text, { name })).toBe(expected);
});

test.each([
  [{ scale: { name: "german" }, letter: "1,3" }, "de", "1,3"],
  [{ scale: { name: "german" }, letter: "2.0" }, "en", "2.0"],
  [{ scale: { name: "german" }, grade: 88 }, "de", undefined],
  [{ scale: { name: "german" }, letter: "sehr gut" }, "de", "sehr gut"],
  [{ scale: { name: "italian" }, letter: "30L" }, "it", "30 e lode"],
  [{ scale: { name: "italian" }, letter: "28" }, "it", "28/30"],
  [{ scale: { name: "points", points: 20 }, grade: 77.5 }, "fr", "15,5/20"],
  [{ scale: { name: "points", points: 20 }, grade: 59.99 }, "en", "11.99/20"],
  [{ scale: { name: "pass_fail" }, passed: true }, "en", "Passed"],
  [{ scale: { name: "pass_fail" }, passed: false }, "en", "Not passed"],
  [{ letter: "B" }, "en", undefined],
] as const)("%j is printed in %s as %j", (stated, language, expected) => {
  expect(gradeIn(stated, words, language)).toBe(expected);
});

describe("points", () => {
  test("are read back as given, whatever the highest is", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 100_000 }),
        (most, hundredths) => {
          fc.pre(hundredths <= most * 100);
          const percentage = readPoints(String(hundredths / 100), { name: "points", points: most });
          expect(pointsOf(percentage ?? -1, most)).toBe(hundredths / 100);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test.each(["15/30", "21", "-1", "zwölf", "1/2/3", ""])("of 20, %j is not a grade", (text) => {
    expect(readPoints(text, { name: "points", points: 20 })).toBeUndefined();
  });
});

test("a better grade meets a required one, however a platform writes it", () => {
  const meets = (scale: GradingScale, required: string, ...written: string[]) =>
    written.map((each) => spellingsOfAtLeast(required, scale)?.includes(each));
  expect(meets({ name: "german" }, "2,0", "1,3", "1.3", "2", "2,0", "2.1", "3")).toEqual([
    ...[true, true, true, true, false, false],
  ]);
  expect(meets({ name: "italian" }, "28", "28/30", "30 e lode", "30L", "27")).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(spellingsOfAtLeast("B", { name: "letter" })).toBeUndefined();
});
