import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { type Chapters, loadChapter } from "#console/i18n/load-chapter.js";
import { messageFormats } from "#console/i18n/message-formats.js";
import type { HelpLine } from "#console/options/option-schema.js";
import { translatedHelp } from "#console/options/translated-help.js";
import { countedReason } from "#console/runs/skip-reasons.js";
import { commonOptions } from "#domain/configurations/options.js";
import { builtInProcessors } from "#domain/eligibility/processor.js";
import { pdfOptions } from "#formats/rendering/design/pdf-options.js";
import { languageTags } from "#foundation/languages/list.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";

const FOLDER = new URL("../../src/console/languages/", import.meta.url);
const chapters = readdirSync(new URL("en", FOLDER))
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.replace(/\.json$/, "") as keyof Chapters);

/** Returns all messages of a chapter as written, by path. */
function messagesOf(chapter: keyof Chapters, tag: string): Map<string, string> {
  return leavesOf(JSON.parse(readFileSync(new URL(`${tag}/${chapter}.json`, FOLDER), "utf8")));
}

function leavesOf(catalogue: object, path = ""): Map<string, string> {
  return new Map(
    Object.entries(catalogue).flatMap(([name, value]) =>
      typeof value === "string"
        ? [[`${path}${name}`, value] as const]
        : [...leavesOf(value, `${path}${name}.`)],
    ),
  );
}

test.each([
  ["uk", /сертифікат/i, /посвідчен/i],
  ["de", /Nachweis/i, /(?<!TLS-)Zertifikat/i], // a server has a TLS certificate
] as const)(
  "a credential is called the same in %s in the console and on public pages: %s",
  (tag, word, other) => {
    const texts = chapters.flatMap((chapter) => [...messagesOf(chapter, tag).values()]);
    const folder = new URL(`../../src/foundation/languages/${tag}/`, import.meta.url);
    const publicTexts = readdirSync(folder).flatMap((file) => [
      ...leavesOf(JSON.parse(readFileSync(new URL(file, folder), "utf8"))).values(),
    ]);
    expect(publicTexts.filter((text) => other.test(text))).toEqual([]);
    expect(texts.filter((text) => other.test(text))).toEqual([]);
    expect(texts.filter((text) => word.test(text)).length).toBeGreaterThan(50);
  },
);

/**
 * Returns the help of every option in the schemas, including nested options. The help consists of a description and of
 * the messages to which the option refers.
 */
function optionHelps(): { description: string; help?: HelpLine[] }[] {
  const found: { description: string; help?: HelpLine[] }[] = [];
  const walk = (schema: unknown) => {
    if (typeof schema !== "object" || schema === null) return;
    if ("description" in schema && typeof schema.description === "string") found.push(schema as never);
    for (const each of Object.values(schema)) walk(each);
  };
  const schemas = [pdfOptions, commonOptions, ...builtInProcessors.map(({ options }) => options)];
  for (const schema of schemas) walk(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return found;
}

test("each option names the message that has its help, and each message is the help of an option", async () => {
  const helps = await loadChapter("helps", "en");
  const strip = (text = "") => text.replaceAll(/[\u2068\u2069]/g, "");
  const used = new Set<string>();
  for (const { description, help = [] } of optionHelps()) {
    for (const { id } of help) used.add(id);
    const lines = help.map(({ id, values }) => ({ id, values: values ?? {} }));
    expect(strip(translatedHelp(lines, helps)), description).toBe(description);
  }
  expect([...used].sort()).toEqual(Object.keys(helps).sort());
});

test("the help of an option has its values unchanged, and each from left to right", async () => {
  const helps = await loadChapter("helps", "ar");
  const line = (id: string, values = {}) => ({ id, values });
  expect(translatedHelp([line("second_language", { languages: "en, pt" })], helps)).toBe(
    "لغة ثانية، لعناصر نائبة مثل \u2068{second.title}\u2069: en, pt",
  );
  expect(translatedHelp([line("placeholders.hours"), line("placeholders.credits")], helps)).toBe(
    "\u2068{hours}\u2069 قيمة الخيار hours\n\u2068{credits}\u2069 قيمة الخيار credits",
  );
  expect(translatedHelp([line("hours"), line("of a plug-in")], helps)).toBeUndefined();
  expect(translatedHelp([], helps)).toBeUndefined();
});

describe("numbers in words", () => {
  it.each<[string, number, string]>([
    ["en", 1, "one 1"],
    ["en", 1284, "other 1,284"],
    ["uk", 2, "few 2"],
    ["uk", 5, "many 5"],
    ["uk", 21, "one 21"],
    ["ar", 0, "none"],
    ["ar", 2, "two 2"],
    ["ar", 3, "few 3"],
    ["ar", 11, "many 11"],
    ["ar", 100, "other 100"],
    ["de", 1284, "other 1.284"],
  ])("%s %d", (tag, n, expected) => {
    const inWords = messageFormats(tag).plural(n, (count) => ({
      "=0": "none",
      one: `one ${count}`,
      two: `two ${count}`,
      few: `few ${count}`,
      many: `many ${count}`,
      other: `other ${count}`,
    }));
    expect(inWords).toBe(expected);
  });
});

test.each([
  ["en", 1, "valid credential", "already has this credential"],
  ["en", 17, "valid credentials", "already have this credential"],
  ["uk", 17, "чинних сертифікатів", "уже мають цей сертифікат"],
] as const)("a status and a reason agree with their count: %s %d", async (tag, count, valid, reason) => {
  const { overview } = await loadChapter("core", tag);
  expect(overview.counts.valid({ count })).toBe(valid);
  const issuing = await loadChapter("issuing", tag);
  expect(countedReason(SkipReason.HAS_CREDENTIAL, count, issuing)).toBe(reason);
  expect(Object.keys(issuing.reasonCounts)).toEqual(Object.keys(issuing.reasons));
});

test("numbers with a unit are formatted for the reader's language", () => {
  const sources = readdirSync(new URL("..", FOLDER), { recursive: true, encoding: "utf8" });
  const byHand = sources
    .filter((file) => file.endsWith(".tsx"))
    .filter((file) =>
      /\)\} (?:ms|s|min|h|[kKMG]?B|%)(?![\w.])/.test(readFileSync(new URL(`../${file}`, FOLDER), "utf8")),
    );
  expect(byHand).toEqual([]);
});

test.each(["Jo $& Co", "A$'B", "{name}", "</p>", "$1 `x` \\"])(
  "a learner called %s is shown as such",
  async (name) => {
    const { credentials } = await loadChapter("core", "en");
    expect(credentials.selectOne({ name })).toBe(`Select ${name}`);
  },
);

/** Verbs with which the names of actions begin. Verbs in the same entry have the same meaning. */
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
  (tag) => {
    const actions = new Map<string, Map<string, string>>();
    for (const chapter of chapters) {
      const texts = messagesOf(chapter, tag);
      for (const [path, label] of messagesOf(chapter, "en")) {
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
