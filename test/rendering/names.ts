import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allFakers } from "@faker-js/faker";
import { expect } from "vitest";
import { pdfCredentialGenerator } from "../../src/rendering/pdf-credential.js";
import { ada } from "./ada.js";
import { poorFonts, say } from "./pdf-tools.js";
import { characters } from "./read-pdf.js";
import { blankPage } from "./templates.js";

/** Names in all scripts that are hard to set, and the longest. */
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

/** A page with the name and nothing else, so that what is read back is the name. */
export function nameAlone(userFullName: string): Promise<Uint8Array> {
  const onlyName = { template: "blank", text_elements: { context: false, date: false } };
  return pdfCredentialGenerator.render({ ...ada, userFullName }, onlyName, assets);
}

/** Has pdftotext read each name back, and qpdf and pdffonts find nothing to say, on a template and in the built-in design. */
export async function expectNothingWrong(names: readonly string[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "names-"));
  const check = async (bytes: Uint8Array, path: string): Promise<string[]> => {
    await writeFile(path, bytes);
    const checked = await say("qpdf", "--check", path).catch(String);
    const isClean = checked.includes("No syntax or stream encoding errors found");
    return [...(isClean ? [] : [checked]), ...(await poorFonts(path))];
  };
  const wrongOf = async (userFullName: string, index: number): Promise<string[]> => {
    const path = join(directory, `${index}.pdf`);
    const builtIn = await check(await pdfCredentialGenerator.render({ ...ada, userFullName }, {}), path);
    const alone = await check(await nameAlone(userFullName), path);
    const read = characters(await say("pdftotext", path, "-"));
    const misread = read === characters(userFullName) ? [] : [`read as ${read}`];
    return [...builtIn, ...alone, ...misread].map((words) => `${userFullName}: ${words}`);
  };
  const wrong: string[] = [];
  for (let at = 0; at < names.length; at += 4) {
    const four = names.slice(at, at + 4).map((name, index) => wrongOf(name, at + index));
    wrong.push(...(await Promise.all(four)).flat());
  }
  await rm(directory, { recursive: true });
  expect(wrong).toEqual([]);
}
