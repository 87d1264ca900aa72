import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { wordsIn } from "#formats/rendering/design/document-language.js";
import { languagesOf } from "#foundation/languages/languages.js";

/** The words of documents in release 1.0.0, by language. They never change. */
const released: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(new URL("words-of-1.0.0.json", import.meta.url), "utf8"),
);

it.each(Object.entries(released))("documents issued by 1.0.0 keep their words in %s", (tag, words) => {
  expect(wordsIn(languagesOf("document").choose([tag]), 1)).toMatchObject(words);
});
