import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openFont } from "../../src/rendering/font.js";

const letters = fc.oneof(
  fc.constantFrom(..."fijlrtTQVAWYo1279,.()'-"),
  fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0xae, max: 0x24f }).map((code) => String.fromCodePoint(code)),
);
const words = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 7 }), {
  minLength: 1,
  maxLength: 4,
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
  const shown = (font: typeof whole, text: string, features: readonly string[]) => {
    const { glyphs, positions, advanceWidth } = font.layout(text, features);
    return { glyphs: glyphs.map(({ id, codePoints }) => ({ id, codePoints })), positions, advanceWidth };
  };
  fc.assert(
    fc.property(words, fc.constantFrom([], ["-liga", "-clig"]), (all, features) => {
      const text = all.join(" ");
      expect(shown(byWord, text, features)).toEqual(shown(whole, text, features));
    }),
    { numRuns: 300 },
  );
});
