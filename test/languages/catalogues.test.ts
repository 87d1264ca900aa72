import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { describe, expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";

const ROOT = join(import.meta.dirname, "../..");
const places = ["src/foundation/languages", "src/console/languages"];
const chapters = places.flatMap((place) =>
  readdirSync(join(ROOT, place, "en"))
    .filter((file) => file.endsWith(".json"))
    .map((file) => [place, file] as const),
);

/** Returns the messages of a catalogue by their paths. */
function messagesOf(place: string, tag: string, file: string): Map<string, string> {
  return leavesOf(JSON.parse(readFileSync(join(ROOT, place, tag, file), "utf8")));
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

const elementsOf = (message: string) => parse(message, { ignoreTag: true });

/** Returns the names of the values that a message needs, and marks those that must be numbers. */
function valuesOf(elements: readonly MessageFormatElement[]): string[] {
  const names = elements.flatMap((element) => {
    if (element.type === TYPE.argument) return [element.value];
    if (element.type === TYPE.number) return [`${element.value}, a number`];
    if (element.type !== TYPE.plural) return [];
    const forms = Object.values(element.options).flatMap(({ value }) => valuesOf(value));
    return [`${element.value}, a number`, ...forms];
  });
  return [...new Set(names)].sort();
}

/** Returns the plural categories that a message lacks in its language, for numbers below a thousand. */
function lackingIn(elements: readonly MessageFormatElement[], tag: string): string[] {
  const rules = new Intl.PluralRules(tag);
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural) return [];
    const numbers = Array.from({ length: 1000 }, (_, n) => n).filter((n) => !(`=${n}` in element.options));
    const needed = new Set(numbers.map((n) => rules.select(n)));
    return [
      ...[...needed].filter((category) => !(category in element.options)),
      ...Object.values(element.options).flatMap(({ value }) => lackingIn(value, tag)),
    ];
  });
}

describe.each(languageTags)("the catalogues in %s", (tag) => {
  test.each(places)("%s: are the same files as in English", (place) => {
    expect(readdirSync(join(ROOT, place, tag)).sort()).toEqual(readdirSync(join(ROOT, place, "en")).sort());
  });

  test.each(chapters)("%s %s: has each message, with the same values and all plural forms", (place, file) => {
    const english = messagesOf(place, "en", file);
    const own = messagesOf(place, tag, file);
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
    const faults = [...own].flatMap(([key, message]) => {
      const elements = elementsOf(message);
      const original = elementsOf(english.get(key) ?? "");
      const lacking = lackingIn(elements, tag);
      return [
        ...(message.trim() === "" || message !== message.trim()
          ? [`${key}: is empty, or has spaces around`]
          : []),
        ...(String(valuesOf(elements)) === String(valuesOf(original)) ? [] : [`${key}: has other values`]),
        ...(lacking.length > 0 ? [`${key}: lacks the plural forms ${lacking.join(", ")}`] : []),
      ];
    });
    expect(faults).toEqual([]);
  });
});

const translations = languageTags
  .filter((tag) => tag !== "en")
  .flatMap((tag) => chapters.map(([place, file]) => [tag, place, file] as const));

test.each(translations)("%s: %s %s is translated", (tag, place, file) => {
  const english = messagesOf(place, "en", file);
  const same = [...messagesOf(place, tag, file)].filter(
    // Short texts may be the same in two languages, such as "Page (PDF)".
    ([key, message]) => english.get(key) === message && message.split(" ").length > 3,
  );
  expect(same).toEqual([]);
});

test("notes for translators are about existing messages", () => {
  const notes = JSON.parse(readFileSync(join(ROOT, "src/foundation/languages/notes.json"), "utf8"));
  const paths = chapters.flatMap(([place, file]) => {
    const chapter = `${place.includes("console") ? "console" : "service"}.${file.replace(/\.json$/, "")}`;
    return [...messagesOf(place, "en", file).keys()].map((key) => `${chapter}.${key}`);
  });
  const isKnown = (note: string) => paths.some((path) => path === note || path.startsWith(`${note}.`));
  expect(Object.keys(notes).length).toBeGreaterThan(20);
  expect(Object.keys(notes).filter((note) => !isKnown(note))).toEqual([]);
});

test("messages are formatted only by their catalogue", () => {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join("src", file));
  const byHand = sources.filter((file) =>
    /\.replace(?:All)?\(\s*["'`]\{\w+\}/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(sources.length).toBeGreaterThan(1000);
  // The HTML page of the console. The service fills it in for each response.
  expect(byHand).toEqual(["src/edges/console/console.ts"]);
});
