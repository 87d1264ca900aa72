import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allFakers } from "@faker-js/faker";
import { describe, expect, test } from "vitest";
import { uncovered } from "../../src/rendering/font-coverage.js";
import { pdfCredentialGenerator } from "../../src/rendering/pdf-credential.js";
import { ada } from "./ada.js";
import { missingTools, poorFonts, say } from "./pdf-tools.js";
import { characters, readPdf } from "./read-pdf.js";
import { blankPage } from "./templates.js";

// Only the name is on the page, so that what is read back is the name.
const onlyName = { template: "blank", text_elements: { context: false, date: false } };

const assets = new Map([["blank", await blankPage()]]);

/** Every document made here, by name. */
const made = new Map<string, Uint8Array>();

async function readName(userFullName: string): Promise<string> {
  const bytes = await pdfCredentialGenerator.render({ ...ada, userFullName }, onlyName, assets);
  made.set(userFullName, bytes);
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

const missing = await missingTools("qpdf", "pdffonts", "pdftotext");

describe.skipIf(missing.length > 0)("pdftotext", () => {
  test("reads every name back", { timeout: 60_000 }, async () => {
    const directory = await mkdtemp(join(tmpdir(), "names-"));
    const file = join(directory, "name.pdf");
    const wrong: string[] = [];
    for (const [name, bytes] of made) {
      await writeFile(file, bytes);
      if (characters(await say("pdftotext", file, "-")) !== characters(name)) wrong.push(name);
    }
    await rm(directory, { recursive: true });
    expect(wrong).toEqual([]);
  });
});

describe.skipIf(missing.length > 0)("qpdf and pdffonts find nothing to say about any of them", () => {
  test.each([
    ["on a template", async (name: string) => made.get(name) ?? new Uint8Array()],
    [
      "in the built-in design",
      async (userFullName: string) => pdfCredentialGenerator.render({ ...ada, userFullName }, {}),
    ],
  ])("%s", { timeout: 120_000 }, async (_case, bytesOf) => {
    const directory = await mkdtemp(join(tmpdir(), "names-"));
    const check = async (name: string, index: number): Promise<string[]> => {
      const file = join(directory, `${index}.pdf`);
      await writeFile(file, await bytesOf(name));
      const checked = await say("qpdf", "--check", file).catch(String);
      const clean = checked.includes("No syntax or stream encoding errors found");
      return [...(clean ? [] : [checked]), ...(await poorFonts(file))].map((words) => `${name}: ${words}`);
    };
    const names = [...made.keys()];
    const found: string[] = [];
    for (let at = 0; at < names.length; at += 4) {
      const four = names.slice(at, at + 4).map((name, index) => check(name, at + index));
      found.push(...(await Promise.all(four)).flat());
    }
    await rm(directory, { recursive: true });
    expect(found).toEqual([]);
    expect(names.length).toBeGreaterThan(100);
  });
});
