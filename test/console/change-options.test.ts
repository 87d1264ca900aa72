import type { JsonObject } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedOwn } from "#console/options/change-options.js";
import { COMMON } from "#console/options/option-schema.js";
import { commonOptions } from "#domain/configurations/options.js";
import { mergeOptions } from "#foundation/text/merge-options.js";

const TYPE = { required_grades: { Total: 0.5, Lab: 0.7 } };

it("the console knows which options are not part of a design", () => {
  expect([...COMMON].sort()).toEqual(Object.keys(commonOptions.shape).sort());
});

describe("a change of the required grades of a configuration", () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      "removes one that overrides the type's in another case",
      { total: 0.8 },
      { Lab: 0.7 },
      { required_grades: { Total: null } },
    ],
    ["returns to the type's grade in another case", { total: 0.8 }, { Total: 0.5, Lab: 0.7 }, {}],
    ["adds one again that was removed in another case", { total: null }, { Total: 0.5, Lab: 0.7 }, {}],
  ])("%s", (_, own, after, changed) => {
    const before = mergeOptions<JsonObject>(TYPE, { required_grades: own });
    expect(changedOwn(TYPE, { required_grades: own }, { before, after: { required_grades: after } })).toEqual(
      changed,
    );
    expect(mergeOptions<JsonObject>(TYPE, changed)).toEqual({ required_grades: after });
  });

  const grades = <T>(value: fc.Arbitrary<T>) =>
    fc
      .uniqueArray(fc.tuple(fc.constantFrom("Total", "total", "Lab", "LAB", "Exam"), value), {
        selector: ([name]) => name.toLowerCase(),
      })
      .map((entries) => Object.fromEntries(entries));
  const grade = fc.constantFrom(0.5, 0.7, 1);

  it("is what the service then requires", () => {
    const whole = grades(grade);
    fc.assert(
      fc.property(whole, grades(fc.option(grade)), whole, (ofType, own, required_grades) => {
        const type = { required_grades: ofType };
        const before = mergeOptions<JsonObject>(type, { required_grades: own });
        const changed = changedOwn(type, { required_grades: own }, { before, after: { required_grades } });
        expect(mergeOptions<JsonObject>(type, changed)).toEqual({ required_grades });
      }),
    );
  });
});
