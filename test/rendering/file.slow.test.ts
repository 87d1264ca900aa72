import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import type { LoadedAsset } from "#formats/rendering/generator.js";
import { givenDirectory } from "../support/directory.js";
import { ada } from "./ada.js";
import { missingTools, outputOf, poorFonts } from "./pdf-tools.js";
import { readPdf } from "./read-pdf.js";
import { fontAsset, pdfTemplate, picture, svgTemplate, triangles } from "./templates.js";

async function render(
  facts = {},
  options: Record<string, unknown> = {},
  assets: Record<string, LoadedAsset> = {},
) {
  return pdfCredentialGenerator.render({ ...ada, ...facts }, options, new Map(Object.entries(assets)));
}

describe("PDF/A-3b", () => {
  test("is claimed, and its requirements are present", async () => {
    const bytes = await render();
    const { xmp, info } = await readPdf(bytes);
    expect(xmp).toContain("<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>");
    const source = Buffer.from(bytes).toString("latin1");
    expect(source).toContain("/S /GTS_PDFA1");
    expect(source).toContain("/DestOutputProfile");
    expect(source).not.toContain("/Encrypt");
    // The XMP metadata and the document information agree.
    expect(xmp).toContain(`<rdf:li xml:lang="x-default">${info.Title}</rdf:li>`);
    expect(xmp).toContain(`<pdf:Keywords>${info.Keywords}</pdf:Keywords>`);
    expect(xmp).toContain("<xmp:CreateDate>2026-01-15T10:30:00Z</xmp:CreateDate>");
    expect(info).toMatchObject({ CreationDate: "D:20260115103000Z", ModDate: "D:20260115103000Z" });
  });

  test("metadata escapes markup", async () => {
    const { xmp, info } = await readPdf(await render({ credentialType: 'A < B & "C"' }));
    expect(info.Title).toContain('A < B & "C"');
    expect(xmp).toContain("A &#60; B &#38; &#34;C&#34;");
  });
});

describe("encrypted", () => {
  test("opens without a password, prints and copies, and claims no PDF/A", async () => {
    const bytes = await render({}, { encrypt: true });
    const pdf = await readPdf(bytes);
    expect(pdf.text).toContain(ada.userFullName);
    expect(pdf.xmp).not.toContain("pdfaid:part");
    const source = Buffer.from(bytes).toString("latin1");
    expect(source).toMatch(/\/Filter \/Standard\s+\/V 5\s+\/R 6/);
    expect(source).not.toContain("Lovelace");
  });

  test("each file has its own key", async () => {
    const [one, other] = [await render({}, { encrypt: true }), await render({}, { encrypt: true })];
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(false);
  });
});

test("the same facts give the same bytes on a template, too, with pictures and fonts", async () => {
  const assets = { page: await pdfTemplate(), seal: picture("png"), bold: fontAsset() };
  const options = { template: "page", defaults: { font: "bold" }, images: [{ asset: "seal", x: 1, y: 1 }] };
  const first = await render({}, options, assets);
  await render({ userFullName: "გიორგი" }, options, assets);
  expect(Buffer.from(await render({}, options, assets)).equals(Buffer.from(first))).toBe(true);
});

const missing = await missingTools("qpdf", "pdffonts", "pdfinfo", "pdftotext");

describe.skipIf(missing.length > 0)("according to qpdf and poppler", () => {
  const directory = givenDirectory("rendering");
  const file = join(directory, "credential.pdf");

  test.each<[string, string, Record<string, unknown>, () => Promise<Record<string, LoadedAsset>>]>([
    ["the built-in design", "Ada Lovelace", {}, async () => ({})],
    ["Vietnamese", "Nguyễn Thị Ánh Tuyết", {}, async () => ({})],
    ["Arabic", "محمد بن موسى", {}, async () => ({})],
    ["Devanagari", "लक्ष्मी विश्वनाथन्", {}, async () => ({})],
    ["Chinese and emoji", "欧阳娜娜 🎉", {}, async () => ({})],
    ["encrypted", "Ada Lovelace", { encrypt: true }, async () => ({})],
    [
      "a font with CFF outlines",
      "ABCAB",
      { defaults: { font: "cff" } },
      async () => ({ cff: triangles("CFF") }),
    ],
    ["an SVG template", "Ada Lovelace", { template: "svg" }, async () => ({ svg: svgTemplate })],
  ])("%s", async (_case, userFullName, options, assets) => {
    writeFileSync(file, await render({ userFullName }, options, await assets()));
    expect(await outputOf("qpdf", "--check", file)).toContain("No syntax or stream encoding errors found");
    expect(await outputOf("pdfinfo", file)).toMatch(/Tagged: +yes/);
    expect(await poorFonts(file)).toEqual([]);
    expect((await outputOf("pdfinfo", "-meta", file)).includes("pdfaid:part")).toBe(options.encrypt !== true);
    const text = await outputOf("pdftotext", file, "-");
    const plain = (words: string) => words.normalize("NFKC").replace(/[^\p{L}\p{M}\p{N}]/gu, "");
    expect(plain(text)).toContain(plain(userFullName));
  });
});
