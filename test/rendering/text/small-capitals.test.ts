import { expect, it } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import type { CredentialFacts } from "#formats/rendering/generator.js";
import { fontFamilies } from "#formats/rendering/text/font-families.js";
import { fallbackChains } from "#formats/rendering/text/fonts.js";
import { languageTags } from "#foundation/languages/list.js";
import { ada } from "../ada.js";
import { drawPdf, shareOfChanged } from "../draw-pdf.js";
import { readPdf } from "../read-pdf.js";
import { svgTemplate } from "../templates.js";

/** Lower-case letters, as CLDR lists them. */
const alphabets: Readonly<Record<string, string>> = {
  en: "abcdefghijklmnopqrstuvwxyz",
  de: "abcdefghijklmnopqrstuvwxyzäöüß",
  fr: "abcdefghijklmnopqrstuvwxyzàâæçéèêëîïôœùûüÿ",
  es: "abcdefghijklmnopqrstuvwxyzáéíñóúü",
  it: "abcdefghijklmnopqrstuvwxyzàéèìîóòùú",
  pt: "abcdefghijklmnopqrstuvwxyzáâãàçéêíóôõúü",
  uk: "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
  ar: "",
};
const othersWithForms = ["tr", "az", "crh", "kk", "tt", "lv", "lt", "ro", "mo", "nl", "ca", "pl", "la"];
const others = [...othersWithForms, "sr", "mk", "bg", "se", "el", "vi", "cs", "hu", "sk", "hr", "is", "cy"];
const dotted = ["tr", "az", "crh", "kk", "tt"];

const faces = [...new Set(Object.values(fontFamilies).map((style) => fallbackChains[style][0]))];

it("the alphabets are those of the languages of documents", () => {
  expect(Object.keys(alphabets).sort()).toEqual([...languageTags].sort());
});

it.each(faces)("$name has small capitals for all letters of a language, or for none", (face) => {
  for (const [language, letters] of Object.entries(alphabets)) {
    const having = [...letters].filter((letter) => face?.font.hasSmallCapital(letter, language));
    expect([language, ["", letters]]).toEqual([language, expect.arrayContaining([having.join("")])]);
  }
});

it.each(faces)("$name gives each Latin letter the same small capital in every language", (face) => {
  const glyphs = (text: string, features: string[], language: string) =>
    face?.font.layout(text, features, language).glyphs.map(({ id }) => id);
  const letters = (face?.font.characters() ?? [])
    .map((each) => String.fromCodePoint(each))
    .filter((each) => /^(?=\p{Ll})\p{Script=Latin}$/u.test(each));
  expect(letters.length).toBeGreaterThan(100);
  for (const language of [...languageTags, ...others]) {
    const different = letters.filter((letter) => {
      if (!face?.font.hasSmallCapital(letter, language)) return false;
      const isDotted = letter === "i" && dotted.includes(language);
      const own = glyphs(letter, ["smcp"], "en");
      // Playfair Display has a small capital of I, but doesn't replace ı by it.
      const isWithout = String(own) === String(glyphs(letter, [], "en"));
      const expected = isDotted
        ? glyphs("İ", ["c2sc"], "en")
        : isWithout
          ? glyphs(letter.toUpperCase(), ["c2sc"], "en")
          : own;
      const made = String(glyphs(letter, ["small-capitals"], language));
      // Playfair Display draws a letter as its language does, such as ş in Romanian and ó in Polish.
      const ordinary = String(glyphs(letter, [], language));
      const isLocal = face?.name.startsWith("Playfair") && ordinary !== String(glyphs(letter, [], "en"));
      return isLocal ? made === ordinary : made !== String(expected);
    });
    expect([language, different]).toEqual([language, []]);
  }
});

const settings = { nameUppercase: false, dateUppercase: false, dateCharSpace: 0, timeZone: "UTC" };

async function titled(text: string, facts: Partial<CredentialFacts>, small_caps = true): Promise<Uint8Array> {
  const hidden = { name: false, context: false, date: false } as const;
  const options = {
    template: "page",
    qr: false,
    text_elements: { ...hidden, title: { text, y: 300, size: 40, small_caps, max_width: 800 } },
  };
  return generator.render({ ...ada, ...facts }, options, new Map([["page", svgTemplate]]));
}

async function differ(one: Uint8Array, other: Uint8Array): Promise<boolean> {
  const [first, second] = [await drawPdf(one, 1), await drawPdf(other, 1)];
  const pixels = (canvas: typeof first) =>
    canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  return shareOfChanged(pixels(first), pixels(second)) > 0;
}

it("a German title looks as in French", async () => {
  const title = "Zertifikat der Seefahrt, Schifffahrt und Luftfahrt";
  const german = await titled(title, { language: "de" });
  expect(await differ(german, await titled(title, { language: "fr" }))).toBe(false);
  expect((await readPdf(german)).text).toContain(title);
});

it("Turkish keeps the dot of the i, and the text can be copied", async () => {
  const turkish = await titled("Sertifika ışık", { language: "tr" });
  expect(await differ(turkish, await titled("Sertıfıka ışık", { language: "tr" }))).toBe(true);
  expect((await readPdf(turkish)).text).toContain("Sertifika ışık");
});

it.each([
  ["az", "Məktəb"],
  ["ro", "Științe"],
  ["uk", "Сертифікат Erasmus"],
])(
  "in %s, %s is in ordinary letters, because the font lacks some of its small capitals",
  async (language, title) => {
    const plain = await titled(title, { language }, false);
    expect(await differ(await titled(title, { language }), plain)).toBe(false);
  },
);

it("credentials issued by 1.0.0 keep their looks when they are generated again", async () => {
  const facts = { language: "de", settings };
  const before = await titled("Zertifikat", facts);
  const now = await titled("Zertifikat", { ...facts, settings: { ...settings, edition: 2 } });
  expect(await differ(before, now)).toBe(true);
  expect(await differ(now, await titled("Zertifikat", { language: "de" }))).toBe(false);
});
