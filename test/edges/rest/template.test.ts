import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTemplate, type Template } from "#edges/rest/template.js";

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
  ])("%s is parsed", (text, segments, variables, verb) => {
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

  /** Formats a parsed template as text. */
  function written({ segments, variables, verb }: Template): string {
    const texts = segments.map((matcher) => (typeof matcher === "string" ? matcher : matcher.literal));
    for (const { fieldPath, start, end = segments.length } of variables) {
      texts[start] = `{${fieldPath}=${texts[start]}`;
      texts[end - 1] += "}";
    }
    return `/${texts.join("/")}${verb === undefined ? "" : `:${verb}`}`;
  }

  test("from any text is refused with the position of the error, or formats back to the same text", () => {
    const piece = fc.constantFrom(
      ..."/ { } = * ** . : a b_c 1 - %20 é v1 {a} {b=*} {c=x/*} {d=**} \u0000".split(" "),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join("")),
      fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join("/")}`),
    );
    let understood = 0;
    fc.assert(
      fc.property(text, (given) => {
        let template: Template;
        try {
          template = parseTemplate(given);
        } catch (error) {
          expect((error as Error).message).toMatch(/: expected .* at position \d+, found (".+"|the end)$/s);
          return;
        }
        understood++;
        expect(written(template).replaceAll("=*}", "}")).toBe(given.replaceAll("=*}", "}"));
        expect(template.segments.slice(0, -1)).not.toContain("**");
      }),
      { numRuns: 3000 },
    );
    expect(understood).toBeGreaterThan(100);
  });
});
