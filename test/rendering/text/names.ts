import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { allFakers } from "@faker-js/faker";
import { expect } from "vitest";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import { newDirectory } from "../../support/directory.js";
import { ada } from "../ada.js";
import { outputOf, poorFontsOf } from "../pdf-tools.js";
import { characters } from "../read-pdf.js";
import { blankPage } from "../templates.js";

/** Names in all scripts that are hard to set, and the longest ones. */
export const hardNames: readonly (readonly [what: string, name: string])[] = [
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
];

const { base, ...localised } = allFakers; // base has no names

/** Two names from every locale of faker, the same in every run. */
export const localNames = Object.entries(localised).map(([locale, faker]) => {
  faker.seed(20260115);
  return [locale, [faker.person.fullName(), faker.person.fullName()]] as const;
});

const assets = new Map([["blank", await blankPage()]]);

/** Renders a page with nothing but the name, so that the text that is read back is the name. */
export function nameAlone(userFullName: string): Promise<Uint8Array> {
  const onlyName = { template: "blank", text_elements: { context: false, date: false } };
  return pdfCredentialGenerator.render({ ...ada, userFullName }, onlyName, assets);
}

/**
 * Runs the three programs on each file in one shell, because starting a process from Node takes longer than
 * they do.
 */
const READ_ALL =
  'for file; do qpdf --check "$file" 2>&1; printf "\\0"; pdffonts "$file"; printf "\\0"; pdftotext "$file" -; printf "\\0"; done';

/**
 * Expects pdftotext to read each name back, and qpdf and pdffonts to find no fault, on a template and in the
 * built-in design.
 */
export async function expectNothingWrong(names: readonly string[]): Promise<void> {
  const directory = newDirectory("names");
  const files: string[] = [];
  for (const userFullName of names) {
    const builtIn = await pdfCredentialGenerator.render({ ...ada, userFullName }, {});
    for (const bytes of [builtIn, await nameAlone(userFullName)]) {
      const file = join(directory, `${files.length}.pdf`);
      await writeFile(file, bytes);
      files.push(file);
    }
  }
  const said = (await outputOf("sh", "-c", READ_ALL, "sh", ...files)).split("\0");
  const wrong = names.flatMap((name, index) => {
    const [builtIn = "", fonts = "", , alone = "", onlyFonts = "", text = ""] = said.slice(6 * index);
    const unclean = [builtIn, alone].filter(
      (words) => !words.includes("No syntax or stream encoding errors"),
    );
    const misread = characters(text) === characters(name) ? [] : [`read as ${text}`];
    const found = [...unclean, ...poorFontsOf(fonts), ...poorFontsOf(onlyFonts), ...misread];
    return found.map((words) => `${name}: ${words}`);
  });
  expect(wrong).toEqual([]);
}
