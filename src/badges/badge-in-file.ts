import { unbakePng } from "./bake-png.js";
import { unbakeSvg } from "./bake-svg.js";
import { unbakePdf } from "./unbake-pdf.js";

/** Kind of a file, as far as its first bytes show. */
export type BadgeFileKind = "pdf" | "png" | "svg" | "text";

/** A file that may contain an Open Badge. */
export interface BadgeFile {
  readonly kind: BadgeFileKind;
  /**
   * Returns the text that may be a badge; nothing has been verified.
   * @returns undefined if there is none
   * @throws RangeError if the file is encrypted, or contains badges that differ
   */
  badge(): string | undefined;
}

/** Number of bytes that may precede the header of a PDF (ISO 32000, 7.5.2). */
const MAX_PDF_LEAD = 1024;

/** Recognises a PDF, PNG or SVG, which may contain a badge. Everything else counts as JSON or a JWT. */
export function badgeInFile(file: Uint8Array): BadgeFile {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.subarray(0, MAX_PDF_LEAD).includes("%PDF-"))
    return { kind: "pdf", badge: () => unbakePdf(bytes) };
  if (bytes[0] === 0x89) return { kind: "png", badge: () => unbakePng(bytes) };
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (text.trimStart().startsWith("<")) return { kind: "svg", badge: () => unbakeSvg(text) };
  return { kind: "text", badge: () => text };
}
