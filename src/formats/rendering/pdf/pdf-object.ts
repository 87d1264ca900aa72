/**
 * A value in a PDF file (ISO 32000, 7.3). A string is literal PDF syntax, for example `/Name`. A `PdfObject` is an
 * indirect object and is written as a reference.
 */
export type PdfValue = number | boolean | string | PdfText | PdfObject | readonly PdfValue[] | PdfDictionary;

export interface PdfDictionary {
  readonly [key: string]: PdfValue | undefined;
}

/** Text or bytes. Encrypted in encrypted files. */
export class PdfText {
  constructor(readonly bytes: Uint8Array) {}
}

/** An indirect object, which many files can share. With `data`, it is a stream. */
export class PdfObject {
  constructor(
    public value: PdfValue = {},
    readonly data?: Uint8Array,
  ) {}
}

/** Encodes text for PDF: ASCII unchanged, anything else as UTF-16 with a byte order mark. */
export function pdfText(words: string): PdfText {
  return new PdfText(textBytes(words));
}

function textBytes(words: string): Uint8Array {
  if (/^[\x20-\x7e]*$/.test(words)) return Buffer.from(words, "latin1");
  return Buffer.from(`\uFEFF${words}`, "utf16le").swap16();
}

/** Encodes a text for a content stream, where strings are not encrypted individually. */
export function inlineText(words: string): string {
  return hex(textBytes(words));
}

export function hex(bytes: Uint8Array): string {
  return `<${Buffer.from(bytes).toString("hex")}>`;
}

/** Formats a date with seconds, in UTC. */
export function pdfDate(date: Date): PdfText {
  return pdfText(`D:${date.toISOString().replace(/[-:T]|\.\d+/g, "")}`);
}

/** Formats a number with at most four decimals, never with an exponent. */
export function pdfNumber(value: number): string {
  return String(Math.round(value * 10_000) / 10_000 || 0);
}
