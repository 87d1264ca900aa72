import { crc32 } from "node:zlib";
import { MAX_BADGE } from "./max-badge.js";
import { chunk, SIGNATURE } from "./png.js";

/** The keyword of the chunk that holds a badge (Open Badges 3.0, 5.3.1). */
const KEYWORD = "openbadgecredential";

/** Programs write a chunk for each 8 KB or more. Reading this many takes 10 ms of processor time (measured). */
const MAX_CHUNKS = 10_000;

/**
 * Embeds a badge in a PNG picture, replacing any badge that it already has.
 * @param badge JSON in ASCII, or a JWT
 * @throws RangeError if the picture is not a PNG
 */
export function bakePng(picture: Uint8Array, badge: string): Buffer {
  const chunks = chunksOf(picture);
  if (!chunks)
    throw new RangeError(`the picture is not a PNG, is damaged, or has more than ${MAX_CHUNKS} chunks`);
  const [first, ...others] = chunks.filter((each) => !isBadge(each));
  const data = Buffer.concat([Buffer.from(`${KEYWORD}\0\0\0\0\0`, "latin1"), Buffer.from(badge, "ascii")]);
  return Buffer.concat([
    SIGNATURE,
    ...[...(first ? [first] : []), { type: "iTXt", data }, ...others].map((each) =>
      chunk(each.type, each.data),
    ),
  ]);
}

/** @returns undefined if the bytes are not a PNG, or have no badge */
export function unbakePng(picture: Uint8Array): string | undefined {
  const holding = chunksOf(picture)?.find(isBadge);
  if (!holding) return undefined;
  // The keyword is followed by whether and how the text is compressed, the language, and the translated
  // keyword. Each of the last two ends with a zero.
  const bytes = holding.data.subarray(KEYWORD.length + 1);
  const isCompressed = bytes[0] !== 0;
  const language = bytes.indexOf(0, 2);
  const translated = bytes.indexOf(0, language + 1);
  if (isCompressed || language === -1 || translated === -1 || bytes.length > MAX_BADGE) return undefined;
  return bytes.toString("utf8", translated + 1);
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function isBadge({ type, data }: Chunk): boolean {
  return type === "iTXt" && data.toString("latin1", 0, KEYWORD.length + 1) === `${KEYWORD}\0`;
}

/** @returns undefined if it is not a complete PNG, or has too many chunks */
function chunksOf(picture: Uint8Array): Chunk[] | undefined {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  if (bytes.length < 8 || SIGNATURE.compare(bytes, 0, 8) !== 0) return undefined;
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      return undefined;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (chunks.length === MAX_CHUNKS) return undefined;
    chunks.push({ type, data: bytes.subarray(at + 8, end) });
    if (type === "IEND") return chunks[0]?.type === "IHDR" ? chunks : undefined;
    at = end + 4;
  }
  return undefined;
}
