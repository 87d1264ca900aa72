/**
 * What a PDF file is made of (ISO 32000, 7.3). A string is PDF syntax as it stands, such as `/Name`; text is a `PdfText`;
 * an object of its own is a `PdfObject`, which becomes a reference.
 */
export type PdfValue = number | boolean | string | PdfText | PdfObject | readonly PdfValue[] | PdfDictionary;

export interface PdfDictionary {
  readonly [key: string]: PdfValue | undefined;
}

/** A string of text or bytes; encrypted in an encrypted file. */
export class PdfText {
  constructor(readonly bytes: Uint8Array) {}
}

/** An indirect object; with `data` a stream. The same one may stand in many files. */
export class PdfObject {
  constructor(
    public value: PdfValue = {},
    readonly data?: Uint8Array,
  ) {}
}

/** Text as PDF keeps it: ASCII as it is, anything else as UTF-16 with a byte order mark. */
export function text(words: string): PdfText {
  return new PdfText(textBytes(words));
}

function textBytes(words: string): Uint8Array {
  if (/^[\x20-\x7e]*$/.test(words)) return Buffer.from(words, "latin1");
  return Buffer.from(`\uFEFF${words}`, "utf16le").swap16();
}

/** A text in a content stream, where nothing is encrypted on its own. */
export function inlineText(words: string): string {
  return hex(textBytes(words));
}

export function hex(bytes: Uint8Array): string {
  return `<${Buffer.from(bytes).toString("hex")}>`;
}

/** A date with seconds, in UTC. */
export function pdfDate(date: Date): PdfText {
  return text(`D:${date.toISOString().replace(/[-:T]|\.\d+/g, "")}`);
}

/** At most four decimals, never an exponent. */
export function pdfNumber(value: number): string {
  return String(Math.round(value * 10_000) / 10_000 || 0);
}
