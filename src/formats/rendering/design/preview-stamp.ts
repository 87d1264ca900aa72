import { deflated } from "../pdf/embedded-font.js";
import type { Decoration, PageSize } from "../pdf/marks.js";
import { PdfObject, pdfNumber } from "../pdf/pdf-object.js";
import { fallbackChains } from "../text/fonts.js";
import { outlineOf } from "./outline.js";

const words = "PREVIEW";
const translucent = new PdfObject({ Type: "/ExtGState", ca: 0.2 });
let outline: { form: PdfObject; width: number; height: number } | undefined;

/** In points; `inset` is the distance from the page's edges. */
const cornerStamp = { height: 7, inset: 6 };

/**
 * Returns a red translucent stamp that says PREVIEW: across the page on top of everything, or small in the upper right
 * corner, where it hides nothing. It is drawn as outlines, so that no program reads it as text.
 */
export function previewStamp(page: PageSize, where: "across" | "corner" = "across"): Decoration {
  outline ??= drawOutline();
  const turned = (where === "across" ? diagonalMatrix(page, outline) : inCorner(page, outline))
    .map(pdfNumber)
    .join(" ");
  const centred = [1, 0, 0, 1, -outline.width / 2, -outline.height / 2].map(pdfNumber).join(" ");
  return {
    kind: "decoration",
    operators: `/Translucent gs\n${turned} cm ${centred} cm /Preview Do`,
    resources: [
      { category: "ExtGState", name: "Translucent", object: translucent },
      { category: "XObject", name: "Preview", object: outline.form },
    ],
  };
}

function diagonalMatrix(page: PageSize, { width }: PageSize): number[] {
  const angle = Math.atan2(page.height, page.width);
  const scale = (Math.hypot(page.width, page.height) * 0.72) / width;
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  return [cos, sin, -sin, cos, page.width / 2, page.height / 2];
}

function inCorner(page: PageSize, { width, height }: PageSize): number[] {
  const scale = cornerStamp.height / height;
  const x = page.width - cornerStamp.inset - (width * scale) / 2;
  return [scale, 0, 0, scale, x, page.height - cornerStamp.inset - cornerStamp.height / 2];
}

function drawOutline() {
  const face = fallbackChains.medium[0];
  if (!face) throw new Error("The built-in font family is missing.");
  const { glyphs, positions, advanceWidth } = face.font.layout(words);
  const operators = ["0.8 0.05 0.05 rg"];
  let left = 0;
  glyphs.forEach((glyph, index) => {
    operators.push(`q 1 0 0 1 ${left} 0 cm\n${outlineOf(face.font.outline(glyph), 1)}\nf Q`);
    left += positions[index]?.xAdvance ?? 0;
  });
  const height = face.font.program.capHeight;
  const form = deflated(Buffer.from(operators.join("\n")), {
    Type: "/XObject",
    Subtype: "/Form",
    BBox: `[0 -300 ${advanceWidth} 1000]`,
    Resources: "<<>>",
  });
  return { form, width: advanceWidth, height };
}
