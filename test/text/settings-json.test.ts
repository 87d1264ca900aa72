import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSettingsJson } from "#foundation/text/settings-json.js";

test.each<[string, string, unknown]>([
  ["a comma after the last element", '{"a": [1, 2,\n], }', { a: [1, 2] }],
  ["comments", '// one\n{"a": 1, /* two\n lines */ "b": 2 // three\n}', { a: 1, b: 2 }],
  ["a comment after the last comma", '{"a": 1, // last\n}', { a: 1 }],
  ["a byte order mark", '\ufeff{"a": 1}', { a: 1 }],
  [
    "what looks like them in texts",
    '{"a": "//x /* y */ ,]", "b\\"//": ",}"}',
    { a: "//x /* y */ ,]", 'b"//': ",}" },
  ],
])("%s is read", (_what, text, value) => expect(readSettingsJson(text)).toEqual(value));

test("any JSON is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (text, indent) => {
      const value: unknown = JSON.parse(text);
      expect(readSettingsJson(JSON.stringify(value, undefined, indent))).toEqual(value);
    }),
  );
});

describe("is refused:", () => {
  test.each<[string, string, RegExp]>([
    ["an unquoted name", "{a: 1}", /position 1/],
    ["a comma after nothing", "[,]", /Unexpected/],
    ["two commas", "[1,,]", /Unexpected/],
    ["an organisation that is there twice", '{"Uni": 1, "Uni": 2}', /two members named "Uni"/],
    ["nothing", "", /Unexpected end/],
  ])("%s", (_what, text, why) => expect(() => readSettingsJson(text)).toThrow(why));
});
