import { deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";
import { tinyJpeg } from "./make-jpeg.js";

export type PdfObject = string | Buffer;

/** Builds a file of the given objects, numbered from 1; the first is the catalogue. */
export function pdf(objects: readonly PdfObject[], trailer = ""): Buffer {
  const parts = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [i, object] of objects.entries()) {
    const part = Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ]);
    offsets.push(length);
    parts.push(part);
    length += part.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end =
    `xref\n0 ${size}\n0000000000 65535 f \n${entries}` +
    `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

/** @param entries entries of the stream's dictionary, without the length */
export function stream(entries: string, data: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);
}

export function flate(data: Uint8Array | string, entries = ""): Buffer {
  return stream(`/Filter /FlateDecode ${entries}`, deflateSync(data));
}

export const content = flate("0.5 g 10 10 100 100 re f");

/** Builds a file with one A4 page. Arguments can change each part of it. */
export function onePage(
  options: {
    catalog?: string;
    page?: string;
    mediaBox?: string;
    content?: PdfObject;
    more?: PdfObject[];
  } = {},
): Buffer {
  const {
    catalog = "",
    page = "",
    mediaBox = "[0 0 842 595]",
    content: drawing = content,
    more = [],
  } = options;
  return pdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox ${mediaBox} /Contents 4 0 R ${page} >>`,
    drawing,
    ...more,
  ]);
}

/** Builds a file as an institution would send it: text, an image, a link, three pages. */
export function pdfkitTemplate(options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const doc = new PDFDocument({ size: "A4", layout: "landscape", ...options });
  const chunks: Buffer[] = [];
  doc.on("data", (bytes: Buffer) => chunks.push(bytes));
  const done = new Promise<Buffer>((resolve) => doc.on("end", () => resolve(Buffer.concat(chunks))));
  doc.rect(20, 20, 800, 555).lineWidth(3).stroke("#1f4a5f");
  doc.fontSize(30).text("Academy of Examples", { align: "center", link: "https://example.org/" });
  doc.image(tinyJpeg, 100, 300, { width: 80 });
  doc.addPage().text("Second page");
  doc.addPage().text("Third page");
  doc.end();
  return done;
}

/** A table of a billion references, which pdf-lib creates from a few bytes. */
export const endlessReferences = onePage({
  more: [stream("/Type /XRef /Size 1000000000 /W [0 0 0]", Buffer.alloc(0))],
});
