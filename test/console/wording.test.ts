import { readdirSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { translatedHelp, withoutCodes } from "#console/editing/options/translated-help.js";
import { type Chapters, loadChapter } from "#console/i18n/load-chapter.js";
import { counter } from "#console/languages/plural.js";
import { commonOptions } from "#domain/configurations/options.js";
import { builtInProcessors } from "#domain/eligibility/processor.js";
import { pdfOptions } from "#formats/rendering/design/pdf-options.js";
import { languageTags } from "#foundation/languages/list.js";

const chapters: (keyof Chapters)[] = [
  "administration",
  "branding",
  "core",
  "designer",
  "designing",
  "explanations",
  "finding",
  "helps",
  "history",
  "issuing",
  "mails",
  "names",
  "replacement",
  "requirements",
  "setup",
  "webhooks",
];
/** Every text, by its path; of functions, what they say of 3. */
function textsOf(words: object, path = ""): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(words)) {
    if (typeof value === "string") texts.set(`${path}${name}`, value);
    else if (typeof value === "function" && value.length === 1) texts.set(`${path}${name}`, String(value(3)));
    else if (typeof value === "object")
      for (const [at, text] of textsOf(value, `${path}${name}.`)) texts.set(at, text);
  }
  return texts;
}

const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe("the words of the console", () => {
  it("are a folder for each language, with the same files", () => {
    const folder = new URL("../../src/console/languages/", import.meta.url);
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(languageTags);
    for (const tag of languageTags)
      expect(readdirSync(new URL(tag, folder)).sort()).toEqual(
        [...chapters, "index"].map((chapter) => `${chapter}.ts`).sort(),
      );
  });

  it.each(languageTags.flatMap((tag) => chapters.map((chapter) => [chapter, tag] as const)))(
    "%s in %s are all there, with the places of the English ones, and its own",
    async (chapter, tag) => {
      const texts = textsOf(await loadChapter(chapter, tag));
      const originals = textsOf(await loadChapter(chapter, "en"));
      const wrong = [...originals].filter(
        ([path, text]) =>
          !texts.get(path)?.trim() ||
          JSON.stringify(placesOf(texts.get(path) ?? "")) !== JSON.stringify(placesOf(text)),
      );
      expect(wrong.map(([path]) => path)).toEqual([]);
      expect(originals.size).toBeGreaterThan(10);
      if (tag !== "en")
        expect([...texts].filter(([path, text]) => originals.get(path) === text).length).toBeLessThan(
          originals.size / 10,
        );
    },
  );
});

test.each([
  ["uk", /сертифікат/i, /посвідчен/i],
  ["de", /Nachweis/i, /Zertifikat/i],
] as const)("a credential is called in %s as on the public pages: %s", async (tag, word, other) => {
  const all = await Promise.all(chapters.map((chapter) => loadChapter(chapter, tag)));
  const texts = all.flatMap((words) => [...textsOf(words).values()]);
  expect(texts.filter((text) => other.test(text))).toEqual([]);
  expect(texts.filter((text) => word.test(text)).length).toBeGreaterThan(50);
});

test.each(languageTags)("what options are is all said in %s, and nothing else", async (tag) => {
  const said = new Set<string>();
  const walk = (schema: unknown) => {
    if (typeof schema !== "object" || schema === null) return;
    if ("description" in schema && typeof schema.description === "string")
      for (const line of schema.description.split("\n")) said.add(withoutCodes(line));
    for (const each of Object.values(schema)) walk(each);
  };
  const schemas = [pdfOptions, commonOptions, ...builtInProcessors.map(({ options }) => options)];
  for (const schema of schemas) walk(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const translated = Object.keys(await loadChapter("helps", tag));
  expect({
    lacking: [...said].filter((help) => !translated.includes(help)),
    beyond: translated.filter((help) => !said.has(help)),
  }).toEqual({ lacking: [], beyond: [] });
});

test("what options are has its codes as they are, and each from left to right", async () => {
  const helps = await loadChapter("helps", "ar");
  expect(translatedHelp("A second language, for placeholders such as {second.title}: en, pt", helps)).toBe(
    "لغة ثانية، لمتغيرات مثل \u2068{second.title}\u2069: en, pt",
  );
  expect(translatedHelp("{hours} the option hours\n{credits} the option credits", helps)).toBe(
    "\u2068{hours}\u2069 الخيار hours\n\u2068{credits}\u2069 الخيار credits",
  );
  expect(translatedHelp("Size in points\nof a plug-in", helps)).toBeUndefined();
});

describe("numbers in words", () => {
  it.each<[string, number, string]>([
    ["en", 1, "one 1"],
    ["en", 1284, "other 1,284"],
    ["uk", 2, "few 2"],
    ["uk", 5, "many 5"],
    ["uk", 21, "one 21"],
    ["ar", 0, "zero 0"],
    ["ar", 2, "two 2"],
    ["ar", 3, "few 3"],
    ["ar", 11, "many 11"],
    ["ar", 100, "other 100"],
    ["de", 1284, "other 1.284"],
  ])("%s %d", (tag, n, expected) => {
    const count = counter(tag)({
      zero: "zero {n}",
      one: "one {n}",
      two: "two {n}",
      few: "few {n}",
      many: "many {n}",
      other: "other {n}",
    });
    expect(count(n)).toBe(expected);
  });
});

/** Verbs that begin the name of an action. Those in one line mean the same. */
const VERBS = [
  "cancel",
  "undo",
  "redo",
  "invalidate|withdraw",
  "reissue",
  "erase",
  "delete|remove|discard",
  "send|resend|replay",
  "save|export|keep",
  "close",
  "end",
  "stop|pause",
  "resume|continue",
  "upload",
  "download",
  "issue",
  "check|test|try",
  "sign",
  "offer",
  "create|make|new|design",
  "correct",
  "replace",
  "revoke",
  "read|retry",
  "restore",
  "accept",
  "refuse|reject",
  "repair",
];
const verbOf = (label: string) =>
  VERBS.find((verb) => new RegExp(`^(?:${verb})(?![\\w-])`, "i").test(label)) ?? "";

test.each(languageTags.filter((tag) => tag !== "en"))(
  "two actions that differ in English don't have the same name in %s",
  async (tag) => {
    const actions = new Map<string, Map<string, string>>();
    for (const chapter of chapters) {
      const texts = textsOf(await loadChapter(chapter, tag));
      for (const [path, label] of textsOf(await loadChapter(chapter, "en"))) {
        const verb = verbOf(label);
        if (verb === "" || label.split(" ").length > 4 || /[.,:]$/.test(label)) continue;
        const name = (texts.get(path) ?? "").replace(/\s*…$/, "").toLowerCase();
        actions.set(name, (actions.get(name) ?? new Map()).set(verb, `${chapter}.${path}`));
      }
    }
    expect(actions.size).toBeGreaterThan(50);
    const mixed = [...actions].filter(([, verbs]) => verbs.size > 1);
    expect(mixed.map(([name, verbs]) => [name, ...verbs.values()])).toEqual([]);
  },
);
