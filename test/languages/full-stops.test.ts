import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chapterNames, loadChapter } from "#console/i18n/load-chapter.js";
import { formatHtml } from "#foundation/languages/format-html.js";
import { languagesOf } from "#foundation/languages/languages.js";
import { type LanguageTag, languageTags } from "#foundation/languages/list.js";
import { fillInPlaceholders } from "#infrastructure/email/messages/email-placeholders.js";

const SOURCES = join(import.meta.dirname, "../../src");
const MEDIA = ["criteria", "document", "design", "email", "page"] as const;
/** A value that ends with a full stop, as names ("Nordhafen e.V.") and Ukrainian dates may. */
const DAY = "28 листопада 2026 р.";

type Words = Readonly<Record<string, unknown>>;
type Format = (values: Readonly<Record<string, never>>) => string;

/** Returns the messages in which a value ends a sentence, with the values that each message needs. */
function endingWithValue(catalogue: Words, words: Words): [message: Format, values: Record<string, never>][] {
  return Object.entries(catalogue).flatMap(([key, text]) => {
    if (typeof text !== "string") return endingWithValue(text as Words, words[key] as Words);
    if (!/\{\w+\}[.]/.test(text)) return [];
    const numbers = [...text.matchAll(/\{(\w+), (?:plural|number)/g)].map(([, name]) => [name, 5]);
    const texts = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, DAY]);
    return [[words[key] as Format, Object.fromEntries([...texts, ...numbers])]];
  });
}

function read(folder: string, tag: LanguageTag, name: string): Words {
  return JSON.parse(readFileSync(join(SOURCES, folder, tag, `${name}.json`), "utf8"));
}

test.each(languageTags)("a sentence that ends with such a value has one full stop, in %s", async (tag) => {
  const ofService = MEDIA.flatMap((medium) => {
    const words = languagesOf(medium).find(tag) as unknown as Words;
    return endingWithValue(read("foundation/languages", tag, medium), words);
  });
  const chapters = await chapterNames(tag);
  const ofConsole = await Promise.all(
    [...chapters, "core" as const].map(async (chapter) => {
      const words = (await loadChapter(chapter, tag)) as unknown as Words;
      return endingWithValue(read("console/languages", tag, chapter), words);
    }),
  );
  expect(ofService.length).toBeGreaterThan(3);
  expect(ofConsole.flat().length).toBeGreaterThan(5);
  const sentences = [...ofService, ...ofConsole.flat()].map(([message, values]) => message(values));
  const pages = ofService.map(([message, values]) =>
    formatHtml(
      message as never,
      Object.fromEntries(Object.keys(values).map((name) => [name, `<b>${DAY}</b>`])) as never,
    ),
  );
  expect([...sentences, ...pages].filter((text) => /\.(?:<\/b>)?\./.test(text))).toEqual([]);
});

test("any other value gets its full stop", () => {
  const { learnerRecordMeans } = languagesOf("page").choose(["en"]);
  expect(
    formatHtml(learnerRecordMeans, { date: "28 May", platformName: "A", lastDay: "<b>8 June</b>" }),
  ).toMatch(/valid on 28 May\. .* until <b>8 June<\/b>\.$/);
  const values = {
    lastDay: DAY,
    reason: "Moved",
    platformName: "",
    credentialType: "",
    learningContextName: "",
    name: "",
  };
  expect(fillInPlaceholders("Until {last_day}. {reason}.", values)).toBe(`Until ${DAY} Moved.`);
});
