import { invalid } from "#foundation/errors.js";
import type { AssetKind } from "../asset.js";

const SUPPORTED_KINDS = "Upload a PDF, a PNG, a JPEG, an SVG drawing, or a TrueType or OpenType font.";

const kinds: readonly (readonly [start: string, kind: AssetKind])[] = [
  ["%PDF-", "pdf"],
  ["\x89PNG\r\n\x1a\n", "png"],
  ["\xff\xd8\xff", "jpeg"],
  ["\0\x01\0\0", "font"],
  ["true", "font"],
  ["OTTO", "font"],
];

/** Files that people upload by mistake: their first bytes, and what to upload instead. */
const unsupportedFormats: readonly (readonly [at: number, magic: string, what: string, remedy: string])[] = [
  [0, "ttcf", "a collection of fonts", "Extract one font from it, and upload that font."],
  [0, "wOFF", "a web font (WOFF)", "Upload the TrueType or OpenType font that it was made from."],
  [0, "wOF2", "a web font (WOFF2)", "Upload the TrueType or OpenType font that it was made from."],
  [0, "%!PS-AdobeFont", "a Type 1 font", "Convert it to OpenType."],
  [0, "%!FontType", "a Type 1 font", "Convert it to OpenType."],
  [0, "\x80\x01", "a Type 1 font", "Convert it to OpenType."],
  [0, "typ1", "a Type 1 font", "Convert it to OpenType."],
  [0, "GIF8", "a GIF", "Save it as PNG."],
  [8, "WEBP", "a WebP image", "Save it as PNG or JPEG."],
  [14, "\x28\0\0\0", "a BMP image", "Save it as PNG."],
  [14, "\x7c\0\0\0", "a BMP image", "Save it as PNG."],
  [0, "II*\0", "a TIFF or raw image", "Save it as PNG or JPEG."],
  [0, "MM\0*", "a TIFF or raw image", "Save it as PNG or JPEG."],
  [0, "8BPS", "a Photoshop document", "Save it as PNG or PDF."],
  [4, "ftyphei", "a HEIF image", "Save it as JPEG."],
  [4, "ftypmif1", "a HEIF image", "Save it as JPEG."],
  [4, "ftypavif", "an AVIF image", "Save it as PNG or JPEG."],
  [4, "ftyp", "a video", SUPPORTED_KINDS],
  [4, "jP  \r\n", "a JPEG 2000 image", "Save it as JPEG or PNG."],
  [0, "\xff\x4f\xff\x51", "a JPEG 2000 image", "Save it as JPEG or PNG."],
  [0, "\0\0\x01\0", "an icon", "Save it as PNG or SVG."],
  [0, "%!PS", "a PostScript file", "Save it as PDF."],
  [0, "\xc5\xd0\xd3\xc6", "a PostScript file", "Save it as PDF."],
  [0, "PK\x03\x04", "a ZIP archive or an office document", "Export the document as PDF."],
  [0, "PK\x05\x06", "a ZIP archive", "Unpack it, and upload the file inside."],
  [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document", "Export it as PDF."],
  [0, "{\\rtf", "a rich text document", "Export it as PDF."],
  [0, "\x1f\x8b", "a gzip archive", "Unpack it: an SVGZ must be saved as plain SVG."],
  [0, "7z\xbc\xaf\x27\x1c", "an archive", "Unpack it, and upload the file inside."],
  [0, "Rar!", "an archive", "Unpack it, and upload the file inside."],
  [0, "MZ", "a program", SUPPORTED_KINDS],
  [0, "\x7fELF", "a program", SUPPORTED_KINDS],
];

/** Syntax that may precede the first element or the document type. */
const XML_PROLOG = /^(?:\s+|<\?.*?\?>|<!--.*?-->)*/s;

/** Recognizes the kind of a file by its first bytes. @throws Problem `invalid` naming the kind of an unusable file */
export function recognizeKind(bytes: Buffer): AssetKind {
  const start = bytes.toString("latin1", 0, 64);
  const kind = kinds.find(([magic]) => start.startsWith(magic))?.[1];
  if (kind) return kind;
  const unsupported = unsupportedFormats.find(([at, magic]) => start.startsWith(magic, at));
  if (unsupported) throw invalid(`The file is ${unsupported[2]}, which can't be used. ${unsupported[3]}`);
  return recognizeText(bytes);
}

function recognizeText(bytes: Buffer): "svg" {
  if (/^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString("latin1", 0, 2))) {
    throw invalid("The file is text in UTF-16, which can't be used. An SVG drawing must be in UTF-8.");
  }
  const start = bytes.toString("utf8", 0, 4096).replace(/^\uFEFF/, "");
  const content = start.replace(XML_PROLOG, "");
  if (/^<(?:!DOCTYPE\s+|[\w.-]+:)?svg\b/.test(content)) return "svg";
  if (/^<(?:!DOCTYPE\s+html|html|head|body|script)\b/i.test(content)) {
    throw invalid(`The file is a web page (HTML), which can't be used. ${SUPPORTED_KINDS}`);
  }
  const header = bytes.indexOf("%PDF-");
  if (header > 0 && header < 1024) {
    throw invalid("The PDF has other data before its start: save it again as PDF, and upload the new file.");
  }
  if (!isText(start)) throw invalid(`The file is of an unknown kind. ${SUPPORTED_KINDS}`);
  if (content.startsWith("<")) throw invalid(`The file is XML, but not an SVG drawing. ${SUPPORTED_KINDS}`);
  throw invalid(`The file is plain text, which can't be used. ${SUPPORTED_KINDS}`);
}

/**
 * Returns whether the start of a file is text, which means valid UTF-8 without control characters. Ignores the last
 * character, which may be cut off.
 */
function isText(start: string): boolean {
  return !/(?![\t\n\v\f\r])\p{Cc}|\uFFFD/u.test(start.slice(0, -1));
}
