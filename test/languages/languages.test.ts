import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Language, languagesOf, type Medium } from "#foundation/languages/languages.js";
import { type LanguageTag, languageTags } from "#foundation/languages/list.js";

const media = ["document", "design", "mail", "page"] as const satisfies Medium[];
const rooms = {
  document: languagesOf("document"),
  design: languagesOf("design"),
  mail: languagesOf("mail"),
  page: languagesOf("page"),
};

describe("the languages", () => {
  test("are the documented ones, with one file each", () => {
    expect(languageTags).toEqual(["ar", "de", "en", "es", "fr", "it", "pt", "uk"]);
    const files = readdirSync(new URL("../../src/foundation/languages/", import.meta.url));
    const words = files.filter((file) => !["languages.ts", "list.ts"].includes(file));
    expect(words.map((file) => file.replace(/\.ts$/, "")).sort()).toEqual(languageTags);
  });

  test.each(media)("are all available in every %s", (medium) => {
    expect(rooms[medium].all.map(({ tag }) => tag)).toEqual(languageTags);
  });

  test.each(languageTags)("%s has its own name, and its script's direction", (tag) => {
    const { direction, languageName } = rooms.page.choose([tag]);
    const name = new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? "";
    expect(languageName.toLowerCase()).toBe(name.toLowerCase());
    expect(direction).toBe(/\p{Script=Arabic}/u.test(languageName) ? "rtl" : "ltr");
  });

  test.each(media.flatMap((medium) => languageTags.map((tag) => [medium, tag] as const)))(
    "words of a %s in %s are all there, and its own",
    (medium, tag) => {
      const placeholders = (text: string) => text.match(/\{\w+\}/g)?.sort() ?? [];
      const english = new Map(Object.entries(rooms[medium].choose(["en"]) as Language<Medium>));
      const wording = new Map(Object.entries(rooms[medium].choose([tag]) as Language<Medium>));
      expect([...wording.keys()].sort()).toEqual([...english.keys()].sort());
      for (const [key, words] of wording) {
        const original = english.get(key) ?? "";
        expect(words.trim(), key).toBe(words);
        expect(words, key).not.toBe("");
        expect(placeholders(words), key).toEqual(placeholders(original));
        // Single words may be the same in two languages, such as "Status".
        if (tag !== "en" && original.includes(" ")) expect(words, key).not.toBe(original);
      }
    },
  );

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
  ])("%s keeps to one form: %s", async (tag, _, other) => {
    const folder = new URL("../../src/console/languages/", import.meta.url);
    const chapters = readdirSync(new URL(tag, folder)).map((name) => import(`${folder}${tag}/${name}`));
    const texts = JSON.stringify([
      ...media.map((medium) => rooms[medium].choose([tag])),
      ...(await Promise.all(chapters)),
    ]);
    expect(other.exec(texts)?.[0]).toBeUndefined();
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
