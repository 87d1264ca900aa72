import { describe, expect, it } from "vitest";
import type { Options } from "#domain/configurations/options.js";
import { mergeOptions } from "#foundation/text/merge-options.js";

describe("options of a configuration, merged over those of its type", () => {
  it.each<[string, Options, Options, Options]>([
    ["add to them", { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ["replace them", { a: 1, b: 1 }, { a: 2 }, { a: 2, b: 1 }],
    ["remove them by null", { a: 1, b: 1 }, { a: null }, { b: 1 }],
    ["remove nothing by null where there is nothing", { a: 1 }, { b: null }, { a: 1 }],
    ["are merged inside objects", { a: { b: 1, c: 1 } }, { a: { c: 2, d: null } }, { a: { b: 1, c: 2 } }],
    ["at any depth", { a: { b: { c: 1, d: 1 } } }, { a: { b: { d: null } } }, { a: { b: { c: 1 } } }],
    ["replace a list as a whole", { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ["replace an object by a value", { a: { b: 1 } }, { a: 1 }, { a: 1 }],
    ["replace a value by an object", { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    ["replace a list by an object", { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    ["leave no null behind", {}, { a: { b: null, c: { d: null } } }, { a: { c: {} } }],
    [
      "replace and remove required grades without regard to case",
      { required_grades: { Total: 0.5, Exam: 0.6, Lab: 0.7 }, steps: { c: { required_grades: { LAB: 1 } } } },
      { required_grades: { total: 0.8, EXAM: null }, steps: { c: { required_grades: { lab: 0.9 } } } },
      { required_grades: { total: 0.8, Lab: 0.7 }, steps: { c: { required_grades: { lab: 0.9 } } } },
    ],
    ["keep other names that differ in case", { a: { B: 1 } }, { a: { b: 2 } }, { a: { B: 1, b: 2 } }],
    [
      "keep what is false, 0 or empty",
      { a: 1, b: 1, c: 1 },
      { a: false, b: 0, c: "" },
      { a: false, b: 0, c: "" },
    ],
  ])("%s", (_, base, over, merged) => {
    const [before, above] = [structuredClone(base), structuredClone(over)];
    expect(mergeOptions(base, over)).toEqual(merged);
    expect([base, over]).toEqual([before, above]);
  });
});
