import { unbakePng, unbakeSvg } from "./bake.js";
import { unbakePdf } from "./unbake-pdf.js";

/** What a file is, as far as its beginning tells. */
export type BadgeFileKind = "pdf" | "png" | "svg" | "text";

/** A file that may hold an Open Badge. */
export interface BadgeFile {
  readonly kind: BadgeFileKind;
  /**
   * Takes out the text that may be a badge; nothing of it is checked.
   * @returns undefined when there is none
   * @throws RangeError when there is one, but nobody could tell which, or the file is encrypted
   */
  badge(): string | undefined;
}

/** Before the header of a PDF there may be as many bytes of something else (ISO 32000, 7.5.2). */
const MAX_PDF_LEAD = 1024;

/** Recognizes a PDF, PNG or SVG, which may hold a badge, and takes everything else for JSON or a JWT. */
export function badgeInFile(file: Uint8Array): BadgeFile {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.subarray(0, MAX_PDF_LEAD).includes("%PDF-"))
    return { kind: "pdf", badge: () => unbakePdf(bytes) };
  if (bytes[0] === 0x89) return { kind: "png", badge: () => unbakePng(bytes) };
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (text.trimStart().startsWith("<")) return { kind: "svg", badge: () => unbakeSvg(text) };
  return { kind: "text", badge: () => text };
}
