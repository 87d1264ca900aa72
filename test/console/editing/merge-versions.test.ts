import { describe, expect, it } from "vitest";
import { isUnchanged } from "#console/editing/compare-versions.js";
import { differencesBetween, mergedFields } from "#console/editing/merge-versions.js";
import { typeOf } from "#console/editing/type-fields.js";
import type { EditedFields } from "#console/editing/version.js";
import { readOptions } from "#console/options/read-options.js";
import { CredentialTypeSchema } from "#gen/learning_credentials/v1/configuration_pb.js";

const fields = (name: string, options: object): EditedFields => ({ name, options: JSON.stringify(options) });
const base = { etag: "1", fields: fields("Award", { grades: { Exam: 0.5 }, accent: "red", gone: 1 }) };
const mine = { base, fields: fields("Award", { grades: { Exam: 0.6 }, accent: "red", paper: "A4" }) };
const theirs = { etag: "2", fields: fields("Prize", { accent: "blue", gone: 1, grades: { Exam: 0.7 } }) };

describe("two versions with a common ancestor", () => {
  it("differ in what one or both changed", () => {
    const changes = differencesBetween(mine, theirs).map(({ path, changedBy }) => [path, changedBy]);
    expect(Object.fromEntries(changes)).toEqual({
      name: "theirs",
      "options.grades": "both",
      "options.accent": "theirs",
      "options.gone": "mine",
      "options.paper": "mine",
    });
  });

  it.each([
    ["mine", 0.6],
    ["theirs", 0.7],
  ] as const)("are merged without a loss, with %s where both changed", (side, grade) => {
    const merged = mergedFields(mine, theirs, () => side);
    expect({ ...merged, options: JSON.parse(merged.options) }).toEqual({
      name: "Prize",
      options: { grades: { Exam: grade }, accent: "blue", paper: "A4" },
    });
  });

  it("do not differ where both made the same change", () => {
    expect(differencesBetween(mine, { etag: "2", fields: mine.fields })).toEqual([]);
  });

  it("keep text that is not JSON as typed", () => {
    const broken = { base, fields: { ...mine.fields, options: '{"grades": ' } };
    expect(isUnchanged(broken)).toBe(false);
    const chosen = (side: "mine" | "theirs") => mergedFields(broken, theirs, () => side).options;
    expect([chosen("mine"), chosen("theirs")]).toEqual(['{"grades": ', theirs.fields.options]);
    expect(differencesBetween(broken, theirs)).toMatchObject([
      { path: "name", changedBy: "theirs" },
      { path: "options", changedBy: "both" },
    ]);
  });

  it("are compared regardless of the order of keys, and of spaces", () => {
    const options = '{ "gone": 1, "accent": "red",\n "grades": {"Exam": 0.5} }';
    expect(isUnchanged({ base, fields: { name: "Award", options } })).toBe(true);
  });
});

it("every field of a type that people set is compared, restored and saved", () => {
  const setByService = ["id", "etag"];
  expect([...Object.keys(typeOf({ options: "{}" })), ...setByService].sort()).toEqual(
    Object.keys(CredentialTypeSchema.field).sort(),
  );
});

describe("options while they are typed", () => {
  it.each<[string, unknown]>([
    ["", { kind: "options", options: {} }],
    ['{"a": 1}', { kind: "options", options: { a: 1 } }],
    ["[1]", { kind: "not-an-object" }],
    ["null", { kind: "not-an-object" }],
    ['{"a": 1,\n  b: 2}', { kind: "not-json", textPosition: { line: "2", column: "3" } }],
  ])("%j", (text, expected) => {
    expect(readOptions(text)).toEqual(expected);
  });
});
