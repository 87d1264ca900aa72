import { PDFDocument } from "@cantoo/pdf-lib";
import * as fontkit from "fontkit";

type Fontkit = Parameters<PDFDocument["registerFontkit"]>[0];

/** Makes a page with a frame and a title in an embedded TrueType font. */
export async function institutionPage(font: Buffer): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.registerFontkit(fontkit as unknown as Fontkit);
  const embedded = await document.embedFont(font, { subset: true });
  const page = document.addPage([842, 595]);
  page.drawText("Certificate of Achievement", { x: 200, y: 450, size: 36, font: embedded });
  for (let inset = 20; inset < 80; inset++) {
    page.drawRectangle({
      x: inset,
      y: inset,
      width: 842 - 2 * inset,
      height: 595 - 2 * inset,
      borderWidth: 0.3,
    });
  }
  return document.save();
}

/** Stamps three centred texts on the page, with a font that is parsed once. */
export function createCantooStamping(
  page: Uint8Array,
  font: Buffer,
): (texts: readonly [string, number][]) => Promise<Uint8Array> {
  const shared = { create: () => parsed } as unknown as Fontkit;
  const parsed = fontkit.create(font);
  return async (texts) => {
    const document = await PDFDocument.load(page, { updateMetadata: false });
    document.registerFontkit(shared);
    const embedded = await document.embedFont(font, { subset: true });
    texts.forEach(([text, size], line) => {
      const x = (842 - embedded.widthOfTextAtSize(text, size)) / 2;
      document.getPage(0).drawText(text, { x, y: 290 - line * 70, size, font: embedded });
    });
    return document.save();
  };
}
