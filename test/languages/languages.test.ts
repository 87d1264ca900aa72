import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { type Languages, languagesOf, type Medium } from "#foundation/languages/languages.js";
import { type LanguageTag, languages, languageTags } from "#foundation/languages/list.js";

const rooms: { readonly [medium in Medium]: Languages<medium> } = {
  criteria: languagesOf("criteria"),
  document: languagesOf("document"),
  design: languagesOf("design"),
  email: languagesOf("email"),
  page: languagesOf("page"),
};

describe("the languages", () => {
  test("are the documented ones, with a folder each", () => {
    expect(languageTags).toEqual(["ar", "de", "en", "es", "fr", "it", "pt", "uk"]);
    for (const folder of ["foundation", "console"]) {
      const entries = readdirSync(new URL(`../../src/${folder}/languages/`, import.meta.url), {
        withFileTypes: true,
      });
      const folders = entries.filter((entry) => entry.isDirectory());
      expect(folders.map(({ name }) => name).sort()).toEqual(languageTags);
    }
  });

  test.each(Object.entries(rooms))("are all available in every %s", (_medium, { all }) => {
    expect(all.map(({ tag }) => tag)).toEqual(languageTags);
  });

  test.each(languageTags)("%s has its own name, and its script's direction", (tag) => {
    const { direction, languageName } = rooms.page.choose([tag]);
    const name = new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? "";
    expect(languageName.toLowerCase()).toBe(name.toLowerCase());
    expect(direction).toBe(/\p{Script=Arabic}/u.test(languageName) ? "rtl" : "ltr");
  });

  test.each(languageTags)("%s separates labels from values as its messages do", async (tag) => {
    const { groupOf } = await loadChapter("designer", tag);
    expect(groupOf({ items: "A" })).toMatch(new RegExp(`^[^:\\s]+${languages[tag].colon}A$`));
    expect(rooms.page.choose([tag]).colon).toBe(languages[tag].colon);
  });

  test.each<[LanguageTag, string, RegExp]>([
    [
      "it",
      "Lei",
      /\b(?:tu|tuo|tua|tuoi|tue|il suo attestato (?:per|di|scade)|credenzial[ei]|[Ss]cansiona|[Pp]assalo)\b/,
    ],
    [
      "pt",
      "Brazilian",
      /\b(?:emblemas?|[Ii]ntroduza|guardado de novo|numa?|demasiado|já não|[Oo]s? seus? certificados?|[Cc]lassificação|ficheiros?|ecrã|transferir|credencia[li]s?)\b/,
    ],
  ])("%s uses one form: %s", (tag, _, other) => {
    const texts = ["foundation", "console"].flatMap((room) => {
      const folder = new URL(`../../src/${room}/languages/${tag}/`, import.meta.url);
      return readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
    });
    expect(texts.length).toBeGreaterThan(15);
    expect(other.exec(texts.join("\n"))?.[0]).toBeUndefined();
  });

  test.each([
    ["es-419", "es"],
    ["DE-at", "de"],
    ["ar-Arab-EG", "ar"],
    ["pt-BR", "pt"],
    ["it", "it"],
    ["tr", undefined],
    ["", undefined],
    ["not a tag", undefined],
    ["constructor", undefined],
  ])("%j is found as %s", (wish, tag) => {
    expect(rooms.document.find(wish)?.tag).toBe(tag);
    expect(rooms.document.choose([wish]).tag).toBe(tag ?? "en");
  });
});
