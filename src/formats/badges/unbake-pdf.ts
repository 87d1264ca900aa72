import { inflateSync } from "node:zlib";
import { MAX_BADGE, MAX_RECORD } from "./max-badge.js";
import { onlyBadge } from "./only-badge.js";

/** Maximum number of embedded files to read. Documents of this service have one. */
const MAX_FILES = 20;

/** Maximum size of an embedded file's dictionary in bytes; usually about 200. */
const MAX_DICTIONARY = 4096;

/**
 * Maximum number of tries per document. Each possible end of an embedded file takes one try, because the data up to
 * there may decompress to `MAX_BADGE`. Larger data, such as a learner record, takes several tries.
 */
const MAX_TRIES = 24;

const MARK = /\/EmbeddedFile(?!\w)/g;

/**
 * Finds the badge or learner record in a PDF of this service, even after another program has saved the PDF.
 * @returns undefined if the document contains no badge or learner record
 * @throws RangeError if the document contains different badges (only one could belong to the printed text), has no
 *   readable badge and is encrypted, or embeds more than the limits allow
 */
export function unbakePdf(pdf: Uint8Array): string | undefined {
  const text = new TextDecoder("latin1").decode(pdf);
  const found: (string | undefined)[] = [];
  const tries = { left: MAX_TRIES };
  let looked = 0;
  // `/EmbeddedFiles` is the list of embedded files, not a file.
  for (const { index } of text.matchAll(MARK)) {
    if (++looked > MAX_FILES) throw tooMuch();
    found.push(credentialAround(pdf, text, index, tries));
  }
  const badge = onlyBadge(found, "PDF");
  if (badge === undefined && text.includes("/Encrypt "))
    throw new RangeError(
      "the PDF is encrypted: extract credential.json from it, for example with `pdfdetach -saveall`, and verify that",
    );
  return badge;
}

/**
 * Returns the credential in the stream whose dictionary surrounds this position.
 * @param text the bytes as Latin-1
 */
function credentialAround(
  pdf: Uint8Array,
  text: string,
  at: number,
  tries: { left: number },
): string | undefined {
  const begin = text.lastIndexOf(" obj", at);
  const stream = text.indexOf("stream", at);
  if (begin === -1 || stream === -1 || stream - begin > MAX_DICTIONARY) return undefined;
  const dictionary = text.slice(begin, stream);
  if (dictionary.includes("endobj")) return undefined;
  const isPacked =
    /\/Filter\s*\[?\s*\/FlateDecode\b/.test(dictionary) && !dictionary.includes("/DecodeParms");
  if (!isPacked && dictionary.includes("/Filter")) return undefined;
  const start = stream + "stream".length + (text[stream + "stream".length] === "\r" ? 2 : 1);
  // The stream's length may be stored in another object, and its data may contain the word "endstream" (for example as
  // a learner's name), so each possible end is tried.
  let end = text.indexOf("endstream", start);
  while (end !== -1 && end - start <= MAX_RECORD) {
    count(end - start, tries);
    const data = pdf.subarray(start, end);
    const found = isPacked ? inflated(data, tries) : new TextDecoder().decode(data).trim();
    if (found !== undefined && isCredential(found)) return found;
    end = text.indexOf("endstream", end + 1);
  }
  return undefined;
}

/**
 * Subtracts the cost of reading these bytes from the remaining tries.
 * @throws RangeError if too few tries are left
 */
function count(bytes: number, tries: { left: number }): void {
  tries.left -= Math.max(1, Math.ceil(bytes / MAX_BADGE));
  if (tries.left < 0) throw tooMuch();
}

function tooMuch(): RangeError {
  return new RangeError("the PDF contains too many embedded files");
}

function inflated(data: Uint8Array, tries: { left: number }, most = MAX_BADGE): string | undefined {
  try {
    return new TextDecoder().decode(inflateSync(data, { maxOutputLength: most })).trim();
  } catch (error) {
    if (most === MAX_RECORD || (error as { readonly code?: unknown }).code !== "ERR_BUFFER_TOO_LARGE")
      return undefined;
    count(MAX_RECORD, tries);
    return inflated(data, tries, MAX_RECORD);
  }
}

function isCredential(text: string): boolean {
  if (!text.startsWith("{")) return false;
  try {
    const { type } = JSON.parse(text);
    return Array.isArray(type) && type.includes("VerifiableCredential");
  } catch {
    return false;
  }
}
