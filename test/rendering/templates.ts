import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { degrees, PDFDocument, PDFName, PDFString, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { createCanvas } from "@napi-rs/canvas";
import type { AssetKind, LoadedAsset } from "#formats/rendering/generator.js";
import { charstring, openType, triangle, trueType } from "../assets/inspection/make-font.js";

export function asset(kind: AssetKind, bytes: Uint8Array): LoadedAsset {
  return { kind, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** A page of an institution. It shows 440 x 640 points with a frame, a word and a link. */
export async function pdfTemplate({ rotation = 0, word = "Academy" } = {}): Promise<LoadedAsset> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const page = document.addPage();
  page.setMediaBox(100, 50, 500, 700);
  page.setCropBox(120, 80, 440, 640);
  page.setTrimBox(125, 85, 430, 630);
  page.setRotation(degrees(rotation));
  const font = await document.embedFont(StandardFonts.TimesRoman);
  page.drawRectangle({
    x: 130,
    y: 90,
    width: 420,
    height: 620,
    borderColor: rgb(0.8, 0.2, 0),
    borderWidth: 3,
  });
  page.drawText(word, { x: 300, y: 650, size: 14, font });
  const link = document.context.obj({
    Type: "Annot",
    Subtype: "Link",
    Rect: [300, 650, 360, 664],
    A: { Type: "Action", S: "URI", URI: PDFString.of("https://academy.example.org/") },
  });
  page.node.set(PDFName.of("Annots"), document.context.obj([link]));
  return asset("pdf", await document.save());
}

export const svgTemplate = asset(
  "svg",
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 842 595"><rect width="842" height="595" fill="#f4efe2"/>
<circle cx="421" cy="100" r="50" fill="none" stroke="#aa3333" stroke-width="6"/>
<path d="M 50 500 Q 200 400 400 500 T 800 500" stroke="#3366aa" fill="none" stroke-width="3"/></svg>`),
);

/** A picture of 120 x 80 pixels: translucent red, with a hole in the middle. */
export function picture(kind: "png" | "jpeg"): LoadedAsset {
  const canvas = createCanvas(120, 80);
  const context = canvas.getContext("2d");
  context.fillStyle = "rgba(200, 30, 30, 0.5)";
  context.fillRect(0, 0, 120, 80);
  context.clearRect(30, 20, 60, 40);
  return asset(kind, kind === "png" ? canvas.toBuffer("image/png") : canvas.toBuffer("image/jpeg"));
}

/** An uploaded font: Georgian and Latin, bold. */
export function fontAsset(): LoadedAsset {
  const file = "@expo-google-fonts/noto-sans-georgian/700Bold/NotoSansGeorgian_700Bold.ttf";
  return asset("font", readFileSync(new URL(import.meta.resolve(file))));
}

/** A font in which the letters A, B and C are triangles, with the given kind of outlines. */
export function triangles(outlines: "TrueType" | "CFF"): LoadedAsset {
  if (outlines === "TrueType")
    return asset("font", trueType([Buffer.alloc(0), triangle, triangle, triangle]));
  const { number, end } = charstring;
  const [moveTo, lineTo] = [21, 5];
  const strokes = [
    [0, 0, moveTo],
    [250, 700, lineTo],
    [250, -700, lineTo],
  ] as const;
  const outline = Buffer.concat([
    ...strokes.map(([x, y, operator]) => Buffer.concat([number(x), number(y), Buffer.from([operator])])),
    end,
  ]);
  return asset("font", openType([end, outline, outline, outline]));
}

export async function blankPage(): Promise<LoadedAsset> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([842, 595]);
  return asset("pdf", await document.save());
}
