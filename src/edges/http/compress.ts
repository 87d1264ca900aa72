import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Coding } from "./accept-encoding.js";

/** Minimum length in characters. A shorter text fits into one or two packets. */
export const MIN_COMPRESSED = 1024;

/** Maximum length in characters. Compressing a longer text would block a thread for too long. */
export const MAX_COMPRESSED = 4 * 1024 * 1024;

/** The highest level would take a hundred times as long and save little more. */
const BROTLI_QUALITY = 4;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

export function compress(coding: Coding, text: string): Promise<Buffer> {
  if (coding === "gzip") return gzipAsync(text);
  return brotliAsync(text, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  });
}
