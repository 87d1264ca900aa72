import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readSources, SOURCES } from "./imports.js";

/** Matches strings, regular expressions and comments. */
const TOKENS =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<=[(=,:[!&|?{};]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*|(?<![:\\])\/\/[^\n]*/g;

/** Matches words that have a standard equivalent: someone, skipped, again, newest first, email address. */
const IN_COMMENTS =
  /\b(?:somebody|anybody|everybody|oftener|anew|for ever|passed over|latest first|counts? no more|is begun|has told|mail address(?:es)?)\b/gi;

/** Matches parts of names for which software engineering has a standard noun or verb phrase. */
const IDENTIFIERS =
  /(?<![.\w"'`])(?:told|tells?|telling|ask|asks|asked|asking|askedOf|standings?|toldBy|toldOf|untold|somebody|mails?|keptOut|isWhole|rarely|doors?|Door|partOf|\w*[pP]assedOver)\b(?!["'`:])/g;

/** Matches words in the titles of tests that have a plainer equivalent. */
const IN_TITLES =
  /\b(?:told|tells?|somebody|anybody|anew|for ever|passed over|latest first|oftener|stands in|asked for|mail address(?:es)?)\b/gi;
const TITLES = /\b(?:test|it|describe)(?:\.\w+)*(?:\((?:[^()"]|\([^()]*\))*\))?\(\s*"((?:\\.|[^"\\])*)"/g;

/** Names of classes in style sheets. */
const CLASSES = /\.[a-z-]*\b(?:told|tells?|asked|standing|kept|mails?|doors?)\b[a-z-]*(?=[\s,{:.>[)])/g;

const TESTS = resolve(SOURCES, "../test");
const SCRIPTS = /\.(?:tsx?|js)$/;

const sources = [
  ...[...readSources(SOURCES, SCRIPTS)].filter(([file]) => !/migrations\/|db\/functions\//.test(file)),
  ...[...readSources(TESTS, SCRIPTS)].map(([file, text]) => [`test/${file}`, text] as const),
];

function comments(text: string): string {
  return tokens(text)
    .filter((token) => /^\/[/*]/.test(token))
    .join("\n");
}

function tokens(text: string): string[] {
  return [...text.matchAll(TOKENS)].map(([token]) => token);
}

function code(text: string): string {
  return text.replace(TOKENS, "");
}

function titles(text: string): string {
  return [...text.matchAll(TITLES)].map(([, title]) => title).join("\n");
}

it.each([
  ["comments", sources, comments, IN_COMMENTS],
  ["identifiers", sources, code, IDENTIFIERS],
  ["titles of tests", sources, titles, IN_TITLES],
  ["classes of style sheets", [...readSources(SOURCES, /\.css$/)], String, CLASSES],
])("%s use the terms of the field", (_, files, extract, words) => {
  expect(files.length).toBeGreaterThan(9);
  const found = files.flatMap(([file, text]) =>
    [...extract(text).matchAll(words)].map(([word]) => `${file}: ${word}`),
  );
  expect(found).toEqual([]);
});

it("the patterns find what they look for", () => {
  expect(comments('const a = "anew"; // passed over')).toMatch(IN_COMMENTS);
  expect(comments('const a = "passed over"; const b = /anew/;')).not.toMatch(IN_COMMENTS);
  expect(code("const told = 1;")).toMatch(IDENTIFIERS);
  expect(code("const a = /told/;")).not.toMatch(IDENTIFIERS);
  expect(titles(`it.each([1])("%s is ${"tol"}d", () => {})`)).toMatch(IN_TITLES);
  expect(".asked-size { }").toMatch(CLASSES);
});
