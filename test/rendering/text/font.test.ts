import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import { openFont } from "#formats/rendering/text/font.js";
import { cmap, fontOf, triangle, trueType } from "../../assets/inspection/make-font.js";
import { ada } from "../ada.js";
import { readPdf } from "../read-pdf.js";
import { asset } from "../templates.js";

const letters = fc.oneof(
  fc.constantFrom(..."fijlrtTQVAWYo1279,.()'-"),
  fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0xae, max: 0x24f }).map((code) => String.fromCodePoint(code)),
);
const words = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 7 }), {
  minLength: 1,
  maxLength: 4,
});
const languages = fc.constantFrom("en", "de", "tr", "nl");

it("a font whose last glyph has no outline is embedded", async () => {
  const own = asset(
    "font",
    trueType([Buffer.alloc(0), triangle, triangle, Buffer.alloc(0)], {
      cmap: cmap([65, 66, 1], [0xa0, 0xa0, 3]),
    }),
  );
  const pdf = await pdfCredentialGenerator.render(
    { ...ada, userFullName: "AB" },
    { defaults: { font: "own" } },
    new Map([["own", own]]),
  );
  expect((await readPdf(pdf)).text).toContain("AB");
});

it("letters take the forms of a language, but with the language Latin, u is not written as v", () => {
  const garamond = openFont(fontOf("eb-garamond/400Regular/EBGaramond_400Regular.ttf"));
  const glyphs = (text: string, language?: string) =>
    garamond.layout(text, [], language).glyphs.map(({ id }) => id);
  expect(glyphs("fi")).toHaveLength(1);
  expect(glyphs("fi", "en-GB")).toEqual(glyphs("fi"));
  expect(glyphs("fi", "tr")).toHaveLength(2);
  expect(glyphs("Ursula", "la")).toEqual(glyphs("Ursula"));
});

it.each([
  "400Regular/EBGaramond_400Regular",
  "500Medium/EBGaramond_500Medium",
  "400Regular_Italic/EBGaramond_400Regular_Italic",
])("%s sets words one by one as it sets them together", (name) => {
  const bytes = readFileSync(
    fileURLToPath(import.meta.resolve(`@expo-google-fonts/eb-garamond/${name}.ttf`)),
  );
  const [byWord, whole] = [openFont(bytes, true), openFont(bytes)];
  const shown = (font: typeof whole, text: string, features: readonly string[], language: string) => {
    const { glyphs, positions, advanceWidth } = font.layout(text, features, language);
    return { glyphs: glyphs.map(({ id, codePoints }) => ({ id, codePoints })), positions, advanceWidth };
  };
  fc.assert(
    fc.property(words, fc.constantFrom([], ["-liga", "-clig"]), languages, (all, features, language) => {
      const text = all.join(" ");
      expect(shown(byWord, text, features, language)).toEqual(shown(whole, text, features, language));
    }),
    { numRuns: 300 },
  );
});
