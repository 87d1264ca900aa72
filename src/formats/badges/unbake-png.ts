import { inflateSync } from "node:zlib";
import { MAX_BADGE } from "./max-badge.js";
import { onlyBadge } from "./only-badge.js";
import { type PngChunk, pngChunks } from "./png-chunks.js";

/** Keyword of the chunk that contains a badge (Open Badges 3.0, 5.3.1). */
export const KEYWORD = "openbadgecredential";

/** Maximum number of copies of a badge in a picture, because each may decompress to `MAX_BADGE`. */
const MAX_COPIES = 8;

/**
 * @returns undefined if the bytes are not a PNG, or contain no badge
 * @throws RangeError if the picture contains several different badges, or too many copies
 */
export function unbakePng(picture: Uint8Array): string | undefined {
  const holding = (pngChunks(picture) ?? []).filter(isBadge);
  if (holding.length > MAX_COPIES) throw new RangeError("the picture contains too many badges");
  return onlyBadge(holding.map(textIn), "picture");
}

export function isBadge({ type, data }: PngChunk): boolean {
  if (type !== "iTXt" || data[KEYWORD.length] !== 0) return false;
  return String.fromCharCode(...data.subarray(0, KEYWORD.length)) === KEYWORD;
}

/** @returns undefined if the chunk is damaged, or its text is too large for a badge */
function textIn({ data }: PngChunk): string | undefined {
  // The keyword is followed by two bytes (whether and how the text is compressed), the language and the translated
  // keyword, both ending with a zero byte.
  const bytes = data.subarray(KEYWORD.length + 1);
  const [isCompressed, method] = bytes;
  const language = bytes.indexOf(0, 2);
  const translated = language === -1 ? -1 : bytes.indexOf(0, language + 1);
  if (translated === -1 || bytes.length > MAX_BADGE) return undefined;
  const text = bytes.subarray(translated + 1);
  if (isCompressed === 0) return new TextDecoder().decode(text);
  if (isCompressed !== 1 || method !== 0) return undefined;
  try {
    return new TextDecoder().decode(inflateSync(text, { maxOutputLength: MAX_BADGE }));
  } catch {
    return undefined;
  }
}
