import { describe, expect, it } from "vitest";
import { ar } from "../../src/console/languages/ar.js";
import { de } from "../../src/console/languages/de.js";
import { designing } from "../../src/console/languages/designing/designing.js";
import { en } from "../../src/console/languages/en.js";
import { es } from "../../src/console/languages/es.js";
import { explanations } from "../../src/console/languages/explanations/explanations.js";
import { fr } from "../../src/console/languages/fr.js";
import { type LanguageTag, languageTags } from "../../src/console/languages/languages.js";
import { mails } from "../../src/console/languages/mails/mails.js";
import { counter } from "../../src/console/languages/plural.js";
import { replacement } from "../../src/console/languages/replacement/replacement.js";
import { uk } from "../../src/console/languages/uk.js";

const others = { ar, de, es, fr, uk };

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
const english = textsOf(en);

describe("the words of the console", () => {
  it.each(Object.entries(others))("of %s have the places of the English ones", (_, words) => {
    const texts = textsOf(words);
    const wrong = [...english].filter(
      ([path, text]) => JSON.stringify(placesOf(texts.get(path) ?? "")) !== JSON.stringify(placesOf(text)),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
    expect(english.size).toBeGreaterThan(150);
  });

  it.each(Object.entries(others))("of %s are all there", (_, words) => {
    const texts = textsOf(words);
    expect([...english.keys()].filter((path) => !texts.get(path)?.trim())).toEqual([]);
  });
});

describe("the words of a chapter", () => {
  const chapters = { designing, explanations, mails, replacement };
  const cases = Object.keys(chapters).flatMap((name) =>
    languageTags.map((tag) => [name as keyof typeof chapters, tag] as const),
  );
  const textsIn = async (name: keyof typeof chapters, tag: LanguageTag) =>
    textsOf(await chapters[name][tag]());

  it.each(cases)("%s in %s are all there, with the places of the English ones", async (name, tag) => {
    const texts = await textsIn(name, tag);
    const originals = await textsIn(name, "en");
    const wrong = [...originals].filter(
      ([path, text]) =>
        !texts.get(path)?.trim() ||
        JSON.stringify(placesOf(texts.get(path) ?? "")) !== JSON.stringify(placesOf(text)),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
    if (tag !== "en")
      expect([...texts].filter(([path, text]) => originals.get(path) === text).length).toBeLessThan(
        originals.size / 10,
      );
  });
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
