import { readFile } from "node:fs/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { openFont } from "#formats/rendering/text/font.js";
import { assetParts } from "../assets/asset-parts.js";
import { notoFile, notoFonts } from "../rendering/text/noto.js";
import { givenAcademy } from "../support/academy.js";

/*
 * Uploads Debian's Noto fonts. An inspection may use 5 seconds of processor time, 256 MiB of heap and 30 seconds of
 * elapsed time. A font that needed more would be refused, but none is. The 190 fonts take 0.55 seconds of processor
 * time each (measured). A run uses one font of each of the most intricate scripts, and every sixteenth of the other
 * fonts. NOTO_FONTS=all uses all of them.
 */

const intricate =
  /Gujarati|Malayalam|Lao|Tamil|Telugu|Kannada|Bengali|Devanagari|Khmer|Myanmar|Tibetan|Nastaliq|Syriac|Duployan/;

const all = notoFonts();
const scriptOf = (name: string) => intricate.exec(name)?.[0];
const oneOfEach = all.filter((name, index) => {
  const script = scriptOf(name);
  return script !== undefined && all.findIndex((other) => scriptOf(other) === script) === index;
});
const others = all.filter((name) => !intricate.test(name)).filter((_, index) => index % 16 === 0);
const taken = process.env.NOTO_FONTS === "all" ? all : [...oneOfEach, ...others];

describe.skipIf(all.length === 0)("Debian's Noto fonts", () => {
  const academy = givenAcademy();

  test.each(taken)("%s is accepted, and prints its letters", async (name) => {
    const bytes = await readFile(notoFile(name));
    await academy.configurations.uploadAsset(assetParts(name.toLowerCase(), bytes));
    const outcome = await academy.configurations
      .previewCredential({
        source: { case: "configurationId", value: academy.configurationId },
        customOptions: { defaults: { font: name.toLowerCase() } },
        userFullName: lettersOf(bytes),
      })
      .catch(ConnectError.from);
    expect(outcome).not.toBeInstanceOf(ConnectError);
    if (!(outcome instanceof ConnectError)) {
      expect(Buffer.from(outcome.pdf.subarray(0, 5)).toString()).toBe("%PDF-");
    }
  });

  test("a truncated font is refused with that reason", async () => {
    const bytes = (await readFile(notoFile("NotoSans"))).subarray(0, 100_000);
    const upload = academy.configurations.uploadAsset(assetParts("cut", bytes));
    const refused = await upload.catch(ConnectError.from);
    expect(refused).toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringMatching(/^The font is broken/),
    });
  });
});

/** Returns letters from all parts of a font, or symbols from a symbol font. */
function lettersOf(bytes: Uint8Array): string {
  const characters = openFont(bytes)
    .characters()
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /[\p{L}\p{N}\p{S}]/u.test(character));
  const step = Math.max(1, Math.floor(characters.length / 12));
  return characters
    .filter((_, index) => index % step === 0)
    .slice(0, 12)
    .join("");
}
