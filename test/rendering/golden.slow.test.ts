import { expect, test } from "vitest";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import type { LoadedAsset, RenderMode } from "#formats/rendering/generator.js";
import { ada } from "./ada.js";
import { scanQr } from "./design/scan-qr.js";
import { drawPdf } from "./draw-pdf.js";
import { expectGolden } from "./expect-golden.js";
import { asset, fontAsset, pdfTemplate, picture, svgTemplate } from "./templates.js";

const threeLines = "Methods in Statistics\nPublic Health\nSpring 2026";
const longName = "Wolfeschlegelsteinhausen Bergerdorff-Schwarzenberg von Hohenlohe-Langenburg zu X";

test.each<[string, object, Record<string, unknown>, Record<string, LoadedAsset>]>([
  ["built-in", {}, {}, {}],
  [
    "built-in-long",
    { userFullName: longName, learningContextName: threeLines },
    { page: { size: "LETTER" } },
    {},
  ],
  [
    "built-in-arabic",
    { userFullName: "محمد (أبو جعفر) بن موسى" },
    { accent_color: "7a1f2b", language: "ar" },
    {},
  ],
  ["built-in-portrait", {}, { page: { orientation: "portrait" } }, {}],
  ["template", {}, { template: "page", qr: true }, { page: await pdfTemplate({ rotation: 90 }) }],
  [
    "pictures",
    { learningContextName: threeLines },
    {
      template: "ground",
      defaults: { font: "bold", color: "246" },
      text_elements: { date: { x: 60, align: "left", char_space: 2, uppercase: true } },
      images: [{ asset: "picture", x: 660, y: 60, width: 120 }],
    },
    { ground: svgTemplate, bold: fontAsset(), picture: picture("png") },
  ],
])("%s looks as before", async (name, facts, options, assets) => {
  const bytes = await pdfCredentialGenerator.render(
    { ...ada, ...facts },
    options,
    new Map(Object.entries(assets)),
  );
  await expectGolden(name, bytes);
});

test.each([
  ["the built-in design", {}],
  ["a coloured one elsewhere", { qr: { x: 120, y: 420, size: 60, color: "#7a1f2b" } }],
  ["a preview", {}, { preview: true }],
])("a camera reads the code of %s", async (_case, options, mode: RenderMode = {}) => {
  const bytes = await pdfCredentialGenerator.render(ada, options, new Map(), mode);
  const drawn = await drawPdf(bytes, 2);
  expect(scanQr(drawn.getContext("2d").getImageData(0, 0, drawn.width, drawn.height))).toBe(ada.verifyUrl);
});

const dark = asset(
  "svg",
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 842 595"><rect width="842" height="595" fill="#000"/></svg>`,
  ),
);

test.each([
  ["by default", { x: 30, y: 60, size: 85 }, ada.verifyUrl],
  ["small, in a corner", { x: 8, y: 8, size: 60 }, ada.verifyUrl],
  ["on a colour", { background: "#ffe9a8", color: "#222" }, ada.verifyUrl],
  ["on nothing", { x: 30, y: 60, size: 85, background: false }, undefined],
])("the code on a black template is read %s", async (_case, qr, words) => {
  const options = { template: "dark", qr };
  const bytes = await pdfCredentialGenerator.render(ada, options, new Map([["dark", dark]]));
  const drawn = await drawPdf(bytes, 2);
  expect(scanQr(drawn.getContext("2d").getImageData(0, 0, drawn.width, drawn.height))).toBe(words);
});

test("a preview can't be mistaken for a credential", async () => {
  const plain = await drawPdf(await pdfCredentialGenerator.render(ada, {}), 0.2);
  const preview = await drawPdf(
    await pdfCredentialGenerator.render(ada, {}, new Map(), { preview: true }),
    0.2,
  );
  const { width, height } = plain;
  const [one, other] = [plain, preview].map(
    (canvas) => canvas.getContext("2d").getImageData(0, 0, width, height).data,
  );
  let changed = 0;
  for (let index = 0; index < width * height * 4; index += 4) {
    if (Math.abs((one?.[index + 1] ?? 0) - (other?.[index + 1] ?? 0)) > 15) changed++;
  }
  expect(changed / (width * height)).toBeGreaterThan(0.04);
});
