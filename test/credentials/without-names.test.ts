import { expect, test } from "vitest";
import { withoutNames } from "../../src/credentials/without-names.js";

test.each<[what: string, text: string, names: string[], expected: string]>([
  ["a name", "The exam of Ana Kovač was annulled.", ["Ana Kovač"], "The exam of … was annulled."],
  ["in either case", "ANA KOVAČ, ana kovač", ["Ana Kovač"], "…, …"],
  ["every name", "ana.k (ana@uni.test) is Ana", ["ana.k", "ana@uni.test", "Ana"], "… (…) is …"],
  ["the longest first", "Ana Kovač-Horvat", ["Ana", "Ana Kovač-Horvat"], "…"],
  ["only whole words", "Banana, Anastasia, Ana's, наAna", ["Ana"], "Banana, Anastasia, …'s, наAna"],
  ["what means something in patterns", "a.b+c [x] (y) axb+c", ["a.b+c", "[x]", "(y)"], "… … … axb+c"],
  ["other scripts", "الامتحان ليوسف (يوسف)", ["يوسف"], "الامتحان ليوسف (…)"],
  ["no name", "Issued in error.", ["", "  "], "Issued in error."],
  ["nobody", "Issued in error.", [], "Issued in error."],
])("%s", (_, text, names, expected) => {
  expect(withoutNames(text, names)).toBe(expected);
});
