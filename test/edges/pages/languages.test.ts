import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAcceptLanguage } from "../../../src/edges/pages/accept-language.js";
import { languages } from "../../../src/edges/pages/languages.js";
import { languages as mailLanguages } from "../../../src/mail/messages/languages.js";

const english = languages.choose(["en"]);

describe("the languages of pages", () => {
  test("are a file each, and those of mails", () => {
    const files = readdirSync(new URL("../../../src/edges/pages/languages/", import.meta.url));
    const tags = languages.all.map(({ tag }) => tag);
    expect(tags).toEqual(files.map((file) => file.replace(/\.ts$/, "")).sort());
    expect(tags).toEqual(mailLanguages.all.map(({ tag }) => tag));
  });

  test.each(languages.all)("$tag has all words of its own", ({ tag, ...wording }) => {
    const placeholders = (text: string) => text.match(/\{\w+\}/g)?.sort() ?? [];
    expect(Object.keys(wording).sort()).toEqual(
      Object.keys(english)
        .filter((key) => key !== "tag")
        .sort(),
    );
    for (const [key, words] of Object.entries(wording)) {
      const original = english[key as keyof typeof wording];
      expect(words.trim(), key).toBe(words);
      expect(words, key).not.toBe("");
      expect(placeholders(words), key).toEqual(placeholders(original));
      // Single words may be the same in two languages, such as "Status".
      if (tag !== "en" && original.includes(" ")) expect(words, key).not.toBe(original);
    }
  });

  test.each(languages.all)(
    "$tag runs as its mails do, and names itself",
    ({ tag, direction, languageName }) => {
      expect(direction).toBe(mailLanguages.choose([tag]).direction);
      const name = new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? "";
      expect(languageName.toLowerCase()).toBe(name.toLowerCase());
    },
  );
});

test.each<[string, string[]]>([
  ["", []],
  ["de", ["de"]],
  ["de-AT, de;q=0.9, en;q=0.5", ["de-AT", "de", "en"]],
  ["en;q=0.5,fr;q=0.9 , uk", ["uk", "fr", "en"]],
  ["es,fr", ["es", "fr"]],
  ["fr;q=0.8,es;q=0.8", ["fr", "es"]],
  ["de;q=0, fr;q=0.000, en;q=0.001", ["en"]],
  ["*", []],
  ["*;q=0.1, ar", ["ar"]],
  ["de ; Q=0.3, fr;q=1.000", ["fr", "de"]],
  ["de;q=2, fr;q=x, en;q=0.1234, es;level=1, uk", ["uk"]],
  [",,;q=1, <script>", []],
  [`${"x,".repeat(8000)}fr`, [...Array(8000).fill("x"), "fr"]],
])("Accept-Language: %.40s", (header, tags) => {
  expect(readAcceptLanguage(header)).toEqual(tags);
});
