import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Builds a chunk with its length and its checksum. */
export function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

export interface PngHeader {
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  readonly colorType?: number;
  readonly interlacing?: number;
}

export function header(options: PngHeader = {}): Buffer {
  const { width = 20, height = 10, depth = 8, colorType = 2, interlacing = 0 } = options;
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colorType, 0, 0, interlacing], 8);
  return chunk("IHDR", data);
}

export function png(...chunks: Buffer[]): Buffer {
  return Buffer.concat([signature, ...chunks, chunk("IEND")]);
}

/** Builds an image of one colour, with `extra` chunks before its pixels. */
export function plainPng(options: PngHeader = {}, ...extra: Buffer[]): Buffer {
  const { width = 20, height = 10, depth = 8, colorType = 2 } = options;
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colorType] ?? 1;
  const row = 1 + Math.ceil((width * channels * depth) / 8);
  return png(header(options), ...extra, chunk("IDAT", deflateSync(Buffer.alloc(row * height))));
}
