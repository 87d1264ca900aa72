import { describe, expect, test } from "vitest";
import { parseTemplate } from "../../../src/edges/rest/template.js";

const literal = (text: string) => ({ literal: text });

describe("a path template", () => {
  test.each([
    ["/a", [literal("a")], [], undefined],
    ["/a/b.c-d_e~f", [literal("a"), literal("b.c-d_e~f")], [], undefined],
    ["/*", ["*"], [], undefined],
    ["/a/**", [literal("a"), "**"], [], undefined],
    ["/a/{b}", [literal("a"), "*"], [{ fieldPath: "b", start: 1, end: 2 }], undefined],
    ["/a/{b=*}", [literal("a"), "*"], [{ fieldPath: "b", start: 1, end: 2 }], undefined],
    ["/{b=**}", ["**"], [{ fieldPath: "b", start: 0, end: undefined }], undefined],
    [
      "/{b=x/*/y}/z",
      [literal("x"), "*", literal("y"), literal("z")],
      [{ fieldPath: "b", start: 0, end: 3 }],
      undefined,
    ],
    ["/{b=x/**}:v", [literal("x"), "**"], [{ fieldPath: "b", start: 0, end: undefined }], "v"],
    ["/a/{b.c_d}:verb", [literal("a"), "*"], [{ fieldPath: "b.c_d", start: 1, end: 2 }], "verb"],
    [
      "/{a}/{b}",
      ["*", "*"],
      [
        { fieldPath: "a", start: 0, end: 1 },
        { fieldPath: "b", start: 1, end: 2 },
      ],
      undefined,
    ],
  ])("%s is understood", (text, segments, variables, verb) => {
    expect(parseTemplate(text)).toEqual({ segments, variables, verb });
  });

  test.each([
    ["", 'expected "/" at position 0, found the end'],
    ["a", 'expected "/" at position 0, found "a"'],
    ["/", "expected a segment at position 1, found the end"],
    ["/a/", "expected a segment at position 3, found the end"],
    ["//a", 'expected a segment at position 1, found "/"'],
    ["/a b", 'expected the end at position 2, found " "'],
    ["/a?b", 'expected the end at position 2, found "?"'],
    ["/a%20", 'expected the end at position 2, found "%"'],
    ["/a*", 'expected the end at position 2, found "*"'],
    ["/***", 'expected the end at position 3, found "*"'],
    ["/**/a", 'expected nothing after "**" at position 4, found "a"'],
    ["/{a=**}/b", 'expected nothing after "**" at position 8, found "b"'],
    ["/{a=**/b}", 'expected nothing after "**" at position 7, found "b"'],
    ["/{", "expected a field name at position 2, found the end"],
    ["/{}", 'expected a field name at position 2, found "}"'],
    ["/{1a}", 'expected a field name at position 2, found "1"'],
    ["/{a.}", 'expected a field name at position 4, found "}"'],
    ["/{a", 'expected "}" at position 3, found the end'],
    ["/{a=}", 'expected a segment at position 4, found "}"'],
    ["/{a={b}}", 'expected a segment at position 4, found "{"'],
    ["/{a}{b}", 'expected the end at position 4, found "{"'],
    ["/x{a}", 'expected the end at position 2, found "{"'],
    ["/a:", "expected a verb at position 3, found the end"],
    ["/a:b/c", 'expected the end at position 4, found "/"'],
    ["/a:b:c", 'expected the end at position 4, found ":"'],
  ])("%j is refused: %s", (text, message) => {
    expect(() => parseTemplate(text)).toThrow(`path template "${text}": ${message}`);
  });
});
