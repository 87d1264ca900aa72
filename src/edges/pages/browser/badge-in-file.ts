import { unbakeSvg } from "../../../badges/bake-svg.js";
import { MAX_RECORD } from "../../../badges/max-badge.js";

/** Attachments of a PDF that are looked at. */
const MAX_ATTACHMENTS = 8;

/** The dictionary of an attachment is shorter. */
const MAX_DICTIONARY = 4096;

const PNG_KEYWORD = "openbadgecredential\0";

/** What a file is, and the text in it that may be a badge. */
export interface FileContent {
  readonly kind: "pdf" | "picture" | "text";
  readonly badge: string | undefined;
}

/** Takes the badge out of a PDF, PNG or SVG, and takes everything else for JSON or a JWT. Nothing of it is checked. */
export async function badgeInFile(bytes: Uint8Array<ArrayBuffer>): Promise<FileContent> {
  const head = latin1(bytes.subarray(0, 1024));
  if (head.includes("%PDF-")) return { kind: "pdf", badge: await badgeInPdf(bytes) };
  if (bytes[0] === 0x89) return { kind: "picture", badge: badgeInPng(bytes) };
  const text = new TextDecoder().decode(bytes);
  return text.trimStart().startsWith("<")
    ? { kind: "picture", badge: unbakeSvg(text) }
    : { kind: "text", badge: text };
}

function badgeInPng(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at);
    const data = bytes.subarray(at + 8, end);
    if (latin1(bytes.subarray(at + 4, at + 8)) === "iTXt" && latin1(data.subarray(0, 20)) === PNG_KEYWORD) {
      const language = data.indexOf(0, 22);
      const translated = language === -1 ? -1 : data.indexOf(0, language + 1);
      if (data[20] !== 0 || translated === -1) return undefined;
      return new TextDecoder().decode(data.subarray(translated + 1));
    }
    at = end + 4;
  }
  return undefined;
}

async function badgeInPdf(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const text = latin1(bytes);
  let looked = 0;
  for (const { index } of text.matchAll(/\/EmbeddedFile(?!\w)/g)) {
    if (++looked > MAX_ATTACHMENTS) return undefined;
    const begin = text.lastIndexOf(" obj", index);
    const stream = text.indexOf("stream", index);
    if (begin === -1 || stream === -1 || stream - begin > MAX_DICTIONARY) continue;
    const dictionary = text.slice(begin, stream);
    const start = stream + (text[stream + 6] === "\r" ? 8 : 7);
    const length = /\/Length\s+(\d+)(?!\d|\s+\d+\s+R)/.exec(dictionary)?.[1];
    const end = length === undefined ? text.indexOf("endstream", start) : start + Number(length);
    if (end === -1) continue;
    const data = bytes.subarray(start, end);
    const badge = dictionary.includes("/FlateDecode")
      ? await unpack(data, "deflate").catch(() => undefined)
      : data;
    const json = badge && new TextDecoder().decode(badge).trim();
    if (json?.startsWith("{")) return json;
  }
  return undefined;
}

/** @throws Error when it unpacks to more than a badge, a learner record or a status list has */
export async function unpack(
  packed: Uint8Array<ArrayBuffer>,
  format: "deflate" | "gzip",
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of new Blob([packed]).stream().pipeThrough(new DecompressionStream(format))) {
    size += chunk.length;
    if (size > MAX_RECORD) throw new Error("it unpacks to too much");
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** One character for each byte; that those from 0x80 on are other ones than in Latin-1 does not matter here. */
function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
