import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Coding } from "./accept-encoding.js";

/** In characters. A shorter text fits into one or two packets anyway. */
export const MIN_COMPRESSED = 1024;

/** In characters. Compressing a longer text would occupy a thread for too long. */
export const MAX_COMPRESSED = 4 * 1024 * 1024;

/**
 * For responses that are compressed for each request: brotli's highest level takes a hundred times as long and saves
 * little more.
 */
const BROTLI_QUALITY = 4;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Compresses a text in the thread pool. */
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
