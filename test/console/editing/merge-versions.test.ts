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
    const changes = differencesBetween(mine, theirs).map(({ path, changedBy }) => [
      path.join("."),
      changedBy,
    ]);
    expect(Object.fromEntries(changes)).toEqual({
      name: "theirs",
      "options.grades.Exam": "both",
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
      { path: ["name"], changedBy: "theirs" },
      { path: ["options"], changedBy: "both" },
    ]);
  });

  type Options = Record<string, unknown>;
  const text = (text: string) => ({ text, x: 1, y: 1 });
  const picture = (asset: string, x = 1) => ({ asset, x });
  it.each<
    [what: string, before: Options, theirs: Options, mine: Options, merged: Options, clashes: string[]]
  >([
    [
      "two properties of a text",
      { text_elements: { title: text("A") } },
      { text_elements: { title: { ...text("A"), x: 2 } } },
      { text_elements: { title: text("B") } },
      { text_elements: { title: { ...text("B"), x: 2 } } },
      [],
    ],
    [
      "the same property of a text",
      { text_elements: { title: text("A") } },
      { text_elements: { title: text("C") } },
      { text_elements: { title: { ...text("B"), x: 2 } } },
      { text_elements: { title: { ...text("B"), x: 2 } } },
      ["text_elements.title.text"],
    ],
    [
      "a text that the other has deleted",
      { text_elements: { title: text("A") } },
      { text_elements: {} },
      { text_elements: { title: text("B") } },
      { text_elements: { title: text("B") } },
      ["text_elements.title"],
    ],
    [
      "texts that both have added",
      { text_elements: {} },
      { text_elements: { text_1: text("A"), text_2: text("B") } },
      { text_elements: { text_1: text("C") } },
      { text_elements: { text_1: text("A"), text_2: text("B"), text_3: text("C") } },
      [],
    ],
    [
      "pictures that were changed or added",
      { images: [picture("a"), picture("b")] },
      { images: [picture("a", 2), picture("b"), picture("c")] },
      { images: [picture("a"), picture("b", 3), picture("d")] },
      { images: [picture("a", 2), picture("b", 3), picture("c"), picture("d")] },
      [],
    ],
    [
      "pictures whose order was changed",
      { images: [picture("a"), picture("b")] },
      { images: [picture("a", 2), picture("b")] },
      { images: [picture("b"), picture("a")] },
      { images: [picture("b"), picture("a")] },
      ["images"],
    ],
    [
      "the order of facts",
      { facts: ["hours", "grade"] },
      { facts: ["hours", "grade", "credits"] },
      { facts: ["grade", "hours"] },
      { facts: ["grade", "hours"] },
      ["facts"],
    ],
    [
      "the tree of requirements",
      { requirements: { all: [{ passed: true }], rule: 1 } },
      { requirements: { all: [{ completion: 1 }], rule: 1 } },
      { requirements: { all: [{ passed: true }], rule: 2 } },
      { requirements: { all: [{ passed: true }], rule: 2 } },
      ["requirements"],
    ],
  ])(
    "clash only where they must, with mine where both changed: %s",
    (_, before, there, here, merged, clashes) => {
      const draft = { base: { etag: "1", fields: fields("A", before) }, fields: fields("A", here) };
      const other = { etag: "2", fields: fields("A", there) };
      expect(JSON.parse(mergedFields(draft, other, () => "mine").options)).toEqual(merged);
      const both = differencesBetween(draft, other).filter(({ changedBy }) => changedBy === "both");
      expect(both.map(({ path }) => path.slice(1).join("."))).toEqual(clashes);
    },
  );

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
