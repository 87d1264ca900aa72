import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { Problem } from "#foundation/errors.js";

const longest = `course-v1:${"o".repeat(241)}+c+r`;

describe("a learning context key", () => {
  it.each([
    ["a course", "course-v1:Uni+CS101+2026", "course"],
    ["a path", "path-v1:Uni+P1+2026+evening", "path"],
    ["every mark", "course-v1:U_-~.:+c.1+r:2~x", "course"],
    ["parts of one character", "course-v1:a+b+c", "course"],
    ["letters of any script", "course-v1:Универ+数学+٢٠٢٦", "course"],
    ["letters beyond the first plane", "course-v1:𐐷+c+r", "course"],
    ["255 characters", longest, "course"],
    ["spaces and punctuation in a path", 'path-v1:O\'Neil (1)+a%b+c?d#e+A&B "x" <y>;,\\', "path"],
    ["a joiner, which some scripts need", "path-v1:می\u200cخواهم+b+c+d", "path"],
  ])("may have %s: %s", (_, text, kind) => {
    expect(parseLearningContextKey(text)).toEqual({ kind, text });
  });

  it.each([
    ["nothing", ""],
    ["a word", "course"],
    ["a space in front", " course-v1:a+b+c"],
    ["a space after", "course-v1:a+b+c "],
    ["a line break after", "course-v1:a+b+c\n"],
    ["a line break inside", "course-v1:a\nb+b+c"],
    ["no run", "course-v1:a+b"],
    ["an empty part", "course-v1:a++c"],
    ["a part too many", "course-v1:a+b+c+d"],
    ["a slash in a path", "path-v1:a/b+b+c+d"],
    ["a line break in a path", "path-v1:a\n+b+c+d"],
    ["a line separator in a path", "path-v1:a\u2028+b+c+d"],
    ["NUL in a path", "path-v1:a\u0000+b+c+d"],
    ["a mark that turns the text, in a path", "path-v1:a\u202e+b+c+d"],
    ["half of a surrogate pair in a path", "path-v1:a\ud800+b+c+d"],
    ["a path with three parts", "path-v1:a+b+c"],
    ["a path with five parts", "path-v1:a+b+c+d+e"],
    ["another prefix", "library-v1:a+b+c"],
    ["a prefix in capitals", "COURSE-V1:a+b+c"],
    ["an older form", "a/b/c"],
    ["a slash", "course-v1:a/b+b+c"],
    ["a blank", "course-v1:a b+b+c"],
    ["a percent sign", "course-v1:a%2Bb+b+c"],
    ["NUL", "course-v1:a\u0000+b+c"],
    ["a mark that turns the text", "course-v1:a\u202e+b+c"],
    ["half of a surrogate pair", "course-v1:a\ud800+b+c"],
    ["256 characters", `${longest}r`],
    ["100,000 characters", `course-v1:${"o".repeat(100_000)}+c+r`],
  ])("must not be %s", (_, text) => {
    expect(() => parseLearningContextKey(text)).toThrow(Problem);
  });

  it("is quoted in the error without breaking a line, log or terminal", () => {
    const text = `\u001b[31m\u009b2J\u202e\u2028"${"x".repeat(100_000)}`;
    const key = '\\u001b[31m\\u{9b}2J\\u{202e}\\u{2028}\\"';
    expect(() => parseLearningContextKey(text)).toThrow(`Invalid learning context key: "${key}x`);
    expect(() => parseLearningContextKey(text)).toThrow(/^.{0,400}$/);
  });

  const character = fc.constantFrom(...'aZ9é数_-~.:+/ \n%"\u0301');
  const part = fc.string({ unit: character, minLength: 0, maxLength: 4 });

  it("has the number of parts that its prefix requires, each of the characters that it allows", () => {
    const prefix = fc.constantFrom("course-v1:" as const, "path-v1:" as const, "course-v2:" as const);
    fc.assert(
      fc.property(prefix, fc.array(part, { maxLength: 5 }), (start, given) => {
        const text = start + given.join("+");
        const parts = text.slice(start.length).split("+");
        const wanted = { "course-v1:": 3, "path-v1:": 4, "course-v2:": Number.NaN }[start];
        const fit = start === "path-v1:" ? /^[^/\n]+$/ : /^[aZ9é数_\-~.:]+$/;
        const isKey = parts.length === wanted && parts.every((each) => fit.test(each));
        if (isKey) expect(parseLearningContextKey(text).text).toBe(text);
        else expect(() => parseLearningContextKey(text)).toThrow(Problem);
      }),
      { numRuns: 1000 },
    );
  });

  it("is either refused or unchanged, whatever the text: short, visible, and one segment of a URL", () => {
    const anywhere = fc.oneof(
      character,
      fc.constantFrom(..."𐐷💥\u0000\ud800\u200f:~"),
      fc.string({ unit: "binary" }),
    );
    const long = fc.integer({ min: 240, max: 260 }).map((length) => "𐐷".repeat(length));
    const right = fc.string({ unit: fc.constantFrom(..."aZ9é数_-~.:𐐷"), minLength: 1, maxLength: 90 });
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.tuple(right, right, right).map((parts) => `course-v1:${parts.join("+")}`),
      fc.tuple(right, right, right, right).map((parts) => `path-v1:${parts.join("+")}`),
      fc
        .tuple(
          fc.constantFrom("course-v1:", "path-v1:", ""),
          fc.array(fc.oneof(part, anywhere, long), { maxLength: 5 }),
        )
        .map(([prefix, parts]) => prefix + parts.join("+")),
    );
    let accepted = 0;
    fc.assert(
      fc.property(text, (given) => {
        let key: string;
        try {
          key = parseLearningContextKey(given).text;
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          return;
        }
        accepted++;
        expect(key).toBe(given);
        expect([...key].length).toBeLessThanOrEqual(255);
        expect(key).not.toMatch(
          key.startsWith("path") ? /[/\n\r\0\u2028\u2029\u202a-\u202e\u2066-\u2069]/ : /[\s/?#%"\p{C}]/u,
        );
        expect(parseLearningContextKey(decodeURIComponent(encodeURIComponent(key))).text).toBe(key);
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
