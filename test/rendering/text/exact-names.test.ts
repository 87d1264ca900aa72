import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newDirectory } from "../../support/directory.js";
import { missingTools, outputOf } from "../pdf-tools.js";
import { readPdf } from "../read-pdf.js";
import { nameAlone } from "./names.js";

const missing = await missingTools("qpdf");

/** Returns the texts of a PDF from qpdf's JSON, in which text strings begin with `u:`. */
async function actualTexts(bytes: Uint8Array): Promise<string[]> {
  const file = join(newDirectory("exact"), "name.pdf");
  await writeFile(file, bytes);
  const reported = await outputOf("qpdf", "--json", "--json-key=qpdf", file);
  return [...reported.matchAll(/"\/ActualText": ("u:(?:[^"\\]|\\.)*")/g)].map(([, text = ""]) =>
    JSON.parse(text).slice(2),
  );
}

// In some programs, the glyphs alone don't reproduce these names: pdftotext reverses the code points of a glyph, pdf.js
// does not.
test.skipIf(missing.length > 0).each([
  ["Arabic with vowels", "مُحَمَّدٌ عَبْدُ اللّٰه"],
  ["Hebrew with points", "שׁוֹשַׁנָּה כֹּהֵן"],
  ["Thaana", "އަޙްމަދު"],
  ["both directions", "דוד Smith כהן"],
  ["a hyphen in Hebrew", "דוד בן-גוריון"],
  ["a joiner", "علی‌رضا گلچهره"],
  ["Arabic digits", "علي ١٢٣"],
  ["brackets in another direction", "Dr. أحمد (PhD) 2nd"],
])("title and structure contain a name exactly: %s", async (_what, name) => {
  const bytes = await nameAlone(name);
  expect((await readPdf(bytes)).info.Title).toBe(`Certificate of Achievement – ${name}`);
  expect(await actualTexts(bytes)).toEqual([name]);
});
