import { expect, test } from "vitest";
import { readSources } from "./imports.js";

/** Strings and comments. A comment begins with a slash. */
const TOKENS =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g;

/** Words that have a standard equivalent: someone, skipped, again, newest first, email address. */
const IN_COMMENTS =
  /\b(?:somebody|anybody|everybody|oftener|anew|for ever|passed over|latest first|counts? no more|is begun|has told|mail address(?:es)?)\b/gi;

/** Names for which the field has a noun or a verb phrase. */
const IDENTIFIERS =
  /(?<![.\w"'`])(?:told|asked|askedOf|toldBy|toldOf|keptOut|isWhole|rarely|doors?|Door)\b(?!["'`:])/g;

const sources = [...readSources()].filter(([file]) => !/migrations\/|db\/functions\//.test(file));

function comments(text: string): string {
  return [...text.matchAll(TOKENS)].map(([token]) => (token.startsWith("/") ? token : "")).join("\n");
}

function code(text: string): string {
  return text.replace(TOKENS, "");
}

test("comments use the standard words", () => {
  const found = sources.flatMap(([file, text]) =>
    [...comments(text).matchAll(IN_COMMENTS)].map(([word]) => `${file}: ${word}`),
  );
  expect(found).toEqual([]);
});

test("identifiers use the terms of the field", () => {
  const found = sources.flatMap(([file, text]) =>
    [...code(text).matchAll(IDENTIFIERS)].map(([name]) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test("the patterns find what they look for", () => {
  expect(comments('const a = "anew"; // passed over')).toMatch(IN_COMMENTS);
  expect(comments('const a = "passed over";')).not.toMatch(IN_COMMENTS);
  expect(code("const told = 1;")).toMatch(IDENTIFIERS);
});
