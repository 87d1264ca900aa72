import { describe, expect, test } from "vitest";
import { uncovered } from "#formats/rendering/text/font-coverage.js";
import { drawPdf } from "../draw-pdf.js";
import { missingTools } from "../pdf-tools.js";
import { characters, readPdf } from "../read-pdf.js";
import { expectNothingWrong, hardNames, localNames, nameAlone } from "./names.js";

async function read(bytes: Uint8Array): Promise<string> {
  return (await readPdf(bytes)).items.map(({ text }) => text).join("");
}

describe("names from every locale of faker", () => {
  test.each(localNames)("%s", async (_locale, names) => {
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect(uncovered(name)).toEqual([]);
      expect(characters(await read(await nameAlone(name)))).toBe(characters(name));
    }
  });
});

test.each(hardNames)("%s", async (_case, name) => {
  expect(characters(await read(await nameAlone(name)))).toBe(characters(name));
});

test.each([
  ["an emoji of several", "👩‍👩‍👧 🎉"],
  ["combining marks only", "\u0301\u0302"],
  ["a flag and a heart", "🇪🇸 ❤️"],
])("%s is drawn, and can be copied from the page", async (_case, name) => {
  const bytes = await nameAlone(name);
  expect((await read(bytes)).replaceAll(" ", "")).toBe(name.replaceAll(" ", ""));
  const page = await drawPdf(bytes, 1);
  const { data } = page.getContext("2d").getImageData(0, 0, page.width, page.height);
  expect(data.some((value) => value < 128)).toBe(true); // the template is white, so dark pixels belong to the name
});

const missing = await missingTools("qpdf", "pdffonts", "pdftotext");

test.skipIf(missing.length > 0)(
  "pdftotext reads back the difficult names, and qpdf and pdffonts report nothing",
  { timeout: 60_000 },
  async () => {
    await expectNothingWrong(hardNames.map(([, name]) => name));
  },
);
