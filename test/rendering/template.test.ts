import { describe, expect, test } from "vitest";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import type { LoadedAsset } from "#formats/rendering/generator.js";
import { onePage } from "../assets/inspection/make-pdf.js";
import { ada } from "./ada.js";
import { drawPdf, shareOfChanged } from "./draw-pdf.js";
import { readPdf } from "./read-pdf.js";
import { asset, blankPage, fontAsset, pdfTemplate, picture, svgTemplate, triangles } from "./templates.js";

async function render(options: Record<string, unknown>, assets: Record<string, LoadedAsset>, facts = {}) {
  return pdfCredentialGenerator.render({ ...ada, ...facts }, options, new Map(Object.entries(assets)));
}

describe("a PDF template", () => {
  test.each([
    [0, 440, 640],
    [90, 640, 440],
    [180, 440, 640],
    [270, 640, 440],
    [-90, 640, 440],
  ])(
    "turned by %j: texts are at their positions on the page as displayed",
    async (rotation, width, height) => {
      const template = await pdfTemplate({ rotation });
      const pdf = await readPdf(await render({ template: "page" }, { page: template }));
      expect(pdf).toMatchObject({ width, height });
      for (const [text, y, size] of [
        [ada.userFullName, 290, 32],
        [ada.learningContextName, 220, 28],
        [ada.issueDate, 120, 12],
      ] as const) {
        const item = pdf.items.find((each) => each.text === text);
        expect(item?.baseline).toBeCloseTo(y, 1);
        expect(item?.size).toBeCloseTo(size, 1);
        expect(((item?.left ?? 0) + (item?.right ?? 0)) / 2).toBeCloseTo(width / 2, 0);
      }
    },
  );

  test("keeps its words, its link and its boxes", async () => {
    const bytes = await render({ template: "page" }, { page: await pdfTemplate() });
    const pdf = await readPdf(bytes);
    expect(pdf.text).toContain("Academy");
    expect(pdf.links).toContain("https://academy.example.org/");
    const source = Buffer.from(bytes).toString("latin1");
    expect(source).toMatch(/\/MediaBox \[100 50 600 750\]/);
    expect(source).toMatch(/\/CropBox \[120 80 560 720\]/);
    expect(source).toMatch(/\/TrimBox \[125 85 555 715\]/);
  });

  test("keeps no link to a script or a file", async () => {
    const annotations = ["javascript:alert(1)", "file:///etc/passwd", "HTTPS://kept.example.org/"]
      .map((uri) => `<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (${uri}) >> >>`)
      .join(" ");
    const page = asset("pdf", onePage({ page: `/Annots [${annotations}]` }));
    const bytes = await render({ template: "page" }, { page });
    const { links } = await readPdf(bytes); // links to scripts and files would be undefined
    expect(links.filter((link) => link !== ada.verifyUrl)).toEqual(["https://kept.example.org/"]);
  });

  test("for names of several lines is also used if another text has several lines", async () => {
    const assets = { one: await pdfTemplate({ word: "One" }), many: await pdfTemplate({ word: "Many" }) };
    const options = { template: "one", template_multiline: "many" };
    const page = async (text: string) =>
      (await readPdf(await render({ ...options, text_elements: { context: { text } } }, assets))).text;
    expect(await page("Statistics")).toContain("One");
    expect(await page("Statistics\nI")).toContain("Many");
  });

  test("for names of several lines is used for these only", async () => {
    const assets = { one: await pdfTemplate({ word: "One" }), many: await pdfTemplate({ word: "Many" }) };
    const text = async (learningContextName: string) =>
      (
        await readPdf(
          await render({ template: "one", template_multiline: "many" }, assets, { learningContextName }),
        )
      ).text;
    expect(await text("Statistics")).toContain("One");
    const several = await readPdf(
      await render({ template: "one", template_multiline: "many" }, assets, {
        learningContextName: "Statistics\nI",
      }),
    );
    expect(several.text).toContain("Many");
    const [first, second] = ["Statistics", "I"].map((line) =>
      several.items.find(({ text }) => text === line),
    );
    expect(first?.baseline).toBeCloseTo(220, 1);
    expect(second?.baseline).toBeCloseTo(220 - 28 * 1.1, 1);
  });

  test("claims no PDF/A, even if the template does", async () => {
    const page = await pdfTemplate();
    expect((await readPdf(await render({ template: "page" }, { page }))).xmp).not.toContain("pdfaid:part");
    const archival = asset("pdf", await pdfCredentialGenerator.render(ada, {}));
    expect((await readPdf(await render({ template: "page" }, { page: archival }))).xmp).not.toContain(
      "pdfaid:part",
    );
    await expect(render({ template: "page", pdf_a: true }, { page })).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("pdf_a"),
    });
  });

  test.each([
    ["not a PDF", Buffer.from("hello")],
    ["cut short", Buffer.from("%PDF-1.7\n1 0 obj\n<<")],
  ])("that is %s is refused", async (_case, bytes) => {
    await expect(render({ template: "page" }, { page: asset("pdf", bytes) })).rejects.toMatchObject({
      kind: "invalid",
    });
  });
});

test("pictures and fonts of the institution", async () => {
  const bytes = await render(
    {
      template: "ground",
      defaults: { font: "bold" },
      images: [
        { asset: "png", x: 60, y: 60, width: 120 },
        { asset: "jpeg", x: 660, y: 60, height: 60, alt: "The seal of the academy" },
      ],
    },
    { ground: svgTemplate, png: picture("png"), jpeg: picture("jpeg"), bold: fontAsset() },
  );
  const source = Buffer.from(bytes).toString("latin1");
  expect(source).toContain("NotoSansGeorgian-Bold");
  expect(source).not.toContain("EBGaramond");
  const pdf = await readPdf(bytes);
  expect(pdf.structure).toContain("Figure");
  expect(pdf.xmp).toContain("pdfaid:part");
});

test.each([
  [{ template: "none" }, "none"],
  [{ template: "bold" }, "bold"],
  [{ defaults: { font: "Comic Sans" } }, "Comic Sans"],
  [{ images: [{ asset: "bold", x: 0, y: 0 }] }, "bold"],
])("%j: an asset that is missing or of another kind is named", async (options, named) => {
  await expect(render(options, { bold: fontAsset() })).rejects.toMatchObject({
    kind: "invalid",
    message: expect.stringContaining(named),
  });
});

describe("a font with CFF outlines", () => {
  const options = {
    template: "page",
    defaults: { font: "own" },
    text_elements: { context: false, date: false },
  };
  const print = async (own: LoadedAsset, userFullName: string) =>
    render(options, { page: await blankPage(), own }, { userFullName });

  const pixelsOf = async (bytes: Uint8Array) => {
    const canvas = await drawPdf(bytes, 1);
    return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  };

  test("is embedded, can be read back, and looks as with TrueType outlines", async () => {
    const cff = await print(triangles("CFF"), "ABCAB");
    const trueTyped = await print(triangles("TrueType"), "ABCAB");
    expect(Buffer.from(cff).toString("latin1")).toContain("/Subtype /CIDFontType0C");
    expect((await readPdf(cff)).text).toBe("ABCAB");
    const [one, other] = [await pixelsOf(cff), await pixelsOf(trueTyped)];
    const empty = await pixelsOf(await print(triangles("CFF"), " "));
    expect(shareOfChanged(one, other)).toBeLessThan(0.0001);
    expect(shareOfChanged(one, empty)).toBeGreaterThan(0.001);
  });
});
