import { parseAst } from "vite";
import { expect, test } from "vitest";
import { readSources } from "../house/imports.js";
import { hitsOf, IN_SENTENCES } from "./forbidden-words.js";

/** Further words that are not allowed in errors and log messages, with their equivalents. */
const IN_MESSAGES = [
  ...IN_SENTENCES,
  /(?<!\bthere )\b(?:is|are) no (?!longer\b|one\b|other\b)\w+/gi, // is not a
  /\beverybody\b/gi, // everyone
  /\ball the same\b/gi, // anyway
  /, of at most\b/gi, // ; at most … are accepted
];

/** Exempts released SQL, and a list of column headings that occur in spreadsheets. */
const isExempt = (file: string) =>
  /^infrastructure\/db\/(?:migrations|functions)\/|\/column-headings\.ts$/.test(file);

/** Matches aliases of tables in SQL. */
const ALIASES = /\b(?:mail|anew)\.\w+|\b(?:as|credential_mails) (?:mail|anew)\b/g;

/** Returns the texts of several words in a source file: errors, log messages, and what commands print. */
function textsIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type, value } = node as { type?: string; value?: unknown };
    if (type === "ImportDeclaration") return;
    if (type === "Literal" && typeof value === "string") found.push(value);
    if (type === "TemplateElement") found.push((value as { cooked: string | null }).cooked ?? "");
    Object.values(node).forEach(visit);
  };
  visit(parseAst(source, { lang: "ts" }));
  return found.filter((text) => /\s/.test(text.trim())).map((text) => text.replaceAll(ALIASES, ""));
}

const sources = [...readSources()].filter(
  ([file]) => file.endsWith(".ts") && !file.startsWith("console/") && !isExempt(file),
);

test("errors, log messages and the output of commands have no forbidden words", () => {
  const found = sources.flatMap(([file, source]) =>
    textsIn(source).flatMap((text) => hitsOf(text, IN_MESSAGES).map((hit) => `${file}: ${hit} in "${text}"`)),
  );
  expect(sources.length).toBeGreaterThan(700);
  expect(found).toEqual([]);
});

test("forbidden words are found in literals and templates, but not in names or comments", () => {
  const hits = (source: string) => textsIn(source).flatMap((text) => hitsOf(text, IN_MESSAGES));
  expect(hits('throw new Error(`"it is no table"`);')).toEqual(["is no table"]);
  expect(hits('log.warn({ told }, "somebody was told"); // passed over')).toEqual(["somebody", "told"]);
  expect(hits('const told = "there is no asset"; import "anew there";')).toEqual([]);
});
