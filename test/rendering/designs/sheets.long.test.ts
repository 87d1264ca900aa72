import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { afterAll, describe, expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { designs } from "#formats/rendering/designs/list.js";
import { givenDirectory } from "../../support/directory.js";
import { collisions } from "../collisions.js";
import { scanQr } from "../design/scan-qr.js";
import { drawPdf } from "../draw-pdf.js";
import { missingTools, outputOf, poorFonts } from "../pdf-tools.js";
import { readPdf } from "../read-pdf.js";
import { facts, names, parts, pictures, texts, titlesOf } from "./samples.js";

/**
 * For visual checks: with `DESIGN_SHEETS=<directory>`, a sheet of each design with all texts is written there, in
 * colour and in grey.
 */
const sheets = process.env.DESIGN_SHEETS;
const pixelsAPoint = 0.8;
const letters = (text: string) => text.normalize("NFC").replace(/[\s\u2066-\u2069]/g, "");

describe.each(names)("%s", async (name) => {
  const missing = await missingTools("qpdf", "pdffonts");
  const directory = givenDirectory("designs");
  const drawn: Canvas[] = [];
  afterAll(() => {
    if (sheets) storeSheets(sheets, drawn);
  });

  test.each(
    Object.entries(texts).flatMap(([text, { facts: own, language, size }]) =>
      Object.entries(parts).map(([part, options]) => ({ text, part, own, options, language, size })),
    ),
  )("with $text, $part: nothing is left out, overlaps, or leaves the page", async (sample) => {
    const { text: sampled, own, language, size } = sample;
    const { page = {} } = designs[name] as { readonly page?: object };
    const credential = { ...facts, ...own };
    const options = {
      ...designs[name],
      ...sample.options,
      titles: titlesOf(name, sampled),
      ...(language !== undefined && { language }),
      ...(size && { page: { ...page, size } }),
    };
    const bytes = await generator.render(credential, options, pictures);
    const { items, width, height, text } = await readPdf(bytes);
    for (const { text, left, right, baseline } of items) {
      expect(left, text).toBeGreaterThan(24);
      expect(right, text).toBeLessThan(width - 24);
      expect(baseline, text).toBeGreaterThan(24);
      expect(baseline, text).toBeLessThan(height - 24);
    }
    expect(collisions(items).join("; ")).toBe("");
    if (language === undefined) {
      const printed = letters(text);
      for (const words of [credential.userFullName, credential.learningContextName, "is awarded to"]) {
        if (/^[\p{Script=Latin}\p{Script=Common}]*$/u.test(words))
          expect(printed.toLowerCase()).toContain(letters(words).toLowerCase());
      }
    }
    const isOfName = (words: string) =>
      [...words].every((letter) => credential.userFullName.includes(letter));
    const largest = Math.max(...items.filter((item) => isOfName(item.text)).map(({ size }) => size));
    expect(
      items.filter((item) => item.size > largest && !isOfName(item.text)).map((item) => item.text),
    ).toEqual([]);

    const file = join(directory, "sheet.pdf");
    writeFileSync(file, bytes);
    if (missing.length === 0) {
      expect(await outputOf("qpdf", "--check", file)).toContain("No syntax or stream encoding errors");
      expect(await poorFonts(file)).toEqual([]);
    }
    if (sheets) drawn.push(await drawPdf(bytes, pixelsAPoint));
  });

  test("a camera reads its code", async () => {
    const bytes = await generator.render(facts, { ...designs[name], ...parts.full }, pictures);
    const page = await drawPdf(bytes, 2);
    const { data, width, height } = page.getContext("2d").getImageData(0, 0, page.width, page.height);
    expect(scanQr({ data, width, height })).toBe(facts.verifyUrl);
  });

  function storeSheets(directory: string, pages: readonly Canvas[]) {
    const [first] = pages;
    if (!first) return;
    const columns = first.width > first.height ? 3 : 4;
    const [width, height] = [first.width + 8, first.height + 8];
    const canvas = createCanvas(columns * width, Math.ceil(pages.length / columns) * height);
    const context = canvas.getContext("2d");
    for (const look of ["colour", "grey"]) {
      context.filter = look === "grey" ? "grayscale(1)" : "none";
      context.fillStyle = "#888";
      context.fillRect(0, 0, canvas.width, canvas.height);
      pages.forEach((page, index) => {
        context.drawImage(page, (index % columns) * width, Math.floor(index / columns) * height);
      });
      writeFileSync(join(directory, `${name}-${look}.png`), canvas.toBuffer("image/png"));
    }
  }
});
