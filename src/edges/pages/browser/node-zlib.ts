import { Gunzip, Unzlib } from "fflate";

interface Limit {
  readonly maxOutputLength: number;
}

// Replaces `node:zlib`, because the decompression functions of browsers are asynchronous.

/** @throws Error with Node's error code if the output exceeds the limit */
export function inflateSync(packed: Uint8Array, limit: Limit): Uint8Array {
  return unpack(new Unzlib(), packed, limit);
}

/** @throws Error with Node's error code if the output exceeds the limit */
export function gunzipSync(packed: Uint8Array, limit: Limit): Uint8Array {
  return unpack(new Gunzip(), packed, limit);
}

/** Number of bytes to decompress at a time. Small steps keep the output close to the limit. */
const STEP = 16 * 1024;

function unpack(stream: Unzlib | Gunzip, packed: Uint8Array, { maxOutputLength }: Limit): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  stream.ondata = (chunk) => {
    size += chunk.length;
    if (size > maxOutputLength)
      throw Object.assign(new Error("it is too large when decompressed"), { code: "ERR_BUFFER_TOO_LARGE" });
    chunks.push(chunk);
  };
  for (let at = 0; at === 0 || at < packed.length; at += STEP)
    stream.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
  const inflated = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    inflated.set(chunk, at);
    at += chunk.length;
  }
  return inflated;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the checksum that PNG uses (ISO 3309). */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
