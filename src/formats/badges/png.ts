import { crc32, deflateSync } from "node:zlib";
import { PNG_SIGNATURE } from "./png-chunks.js";

/** 8 bits each for red, green, blue and alpha. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** Rows of pixels from top to bottom. Each row starts with a byte for its filter type. */
  readonly rows: Uint8Array;
}

/** Encodes a picture as PNG (https://www.w3.org/TR/png-3/). */
export function pngOf({ width, height, rows }: Bitmap): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
