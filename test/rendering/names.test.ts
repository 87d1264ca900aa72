import { allFakers } from "@faker-js/faker";
import { describe, expect, test } from "vitest";
import { uncovered } from "../../src/rendering/font-coverage.js";
import { pdfCredentialGenerator } from "../../src/rendering/pdf-credential.js";
import { ada } from "./ada.js";
import { characters, readPdf } from "./read-pdf.js";
import { blankPage } from "./templates.js";

// Only the name is on the page, so that what is read back is the name.
const onlyName = { template: "blank", text_elements: { context: false, date: false } };

const assets = new Map([["blank", await blankPage()]]);

async function readName(userFullName: string): Promise<string> {
  const bytes = await pdfCredentialGenerator.render({ ...ada, userFullName }, onlyName, assets);
  return (await readPdf(bytes)).items.map(({ text }) => text).join("");
}

describe("names from every locale of faker", () => {
  const { base, ...localised } = allFakers; // base has no names
  for (const [locale, faker] of Object.entries(localised)) {
    test(locale, async () => {
      faker.seed(20260115);
      for (const name of [faker.person.fullName(), faker.person.fullName()]) {
        expect(uncovered(name)).toEqual([]);
        expect(characters(await readName(name))).toBe(characters(name));
      }
    });
  }
});

test.each([
  ["Arabic with Latin digits", "محمد 123 علي"],
  ["Hebrew with brackets", "דוד (בן) גוריון"],
  ["Devanagari conjuncts", "क्षत्रिय ज्ञानेश्वर त्र्यम्बक"],
  ["Bengali conjuncts", "ক্ষিতীশ জ্যোতির্ময়"],
  ["Vietnamese stacked marks", "Nguyễn Ngữ Ặng Ỡ"],
  ["simplified Chinese", "欧阳娜娜"],
  ["traditional Chinese", "歐陽龍澤"],
  ["Japanese", "田中さくら タナカ"],
  ["Korean", "김영희"],
  ["Thaana", "އަޙްމަދު"],
  ["one letter", "O"],
  ["120 letters", "Abcdefghi ".repeat(12).trim()],
  ["120 letters without a space", "Abcdefghij".repeat(12)],
  ["the same glyph for two characters", "AΑА"],
])("%s", async (_case, name) => {
  expect(characters(await readName(name))).toBe(characters(name));
});

test.each([
  ["an emoji of several", "Ada 👩‍👩‍👧 🎉"],
  ["combining marks only", "\u0301\u0302"],
  ["a flag and a heart", "🇪🇸 ❤️"],
])("%s is drawn", async (_case, name) => {
  expect((await readName(name)).length).toBeGreaterThan(0);
});
