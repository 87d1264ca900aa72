import { createJsonCounter, MAX_JSON_LEVELS } from "./json-counter.js";

const MEBIBYTE = 1024 * 1024;

/** Limits that apply while a response arrives, so that the rest of an oversized response is not read. */
export interface AnswerBounds {
  /** Maximum number of bytes after decompression. */
  readonly bytes: number;
  /** Maximum number of opening braces, opening brackets and commas, which approximate the number of parsed values. */
  readonly values: number;
}

/**
 * Reads a response as text within limits. If the response isn't JSON, only the number of bytes is limited.
 * @param tooLarge creates the error from the exceeded limit, for example `5000 values` or `2 MiB`
 */
export async function readBoundedJson(
  body: AsyncIterable<Uint8Array> | null,
  { bytes, values }: AnswerBounds,
  tooLarge: (bound: string) => Error,
): Promise<string> {
  const count = createJsonCounter();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > bytes) throw tooLarge(shownSize(bytes));
    const seen = count(chunk);
    if (seen.values > values) throw tooLarge(`${values} values`);
    if (seen.levels > MAX_JSON_LEVELS) throw tooLarge(`${MAX_JSON_LEVELS} levels`);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}

/** Returns a size for a message: in bytes, or from 1 MiB on in MiB. */
export function shownSize(bytes: number): string {
  return bytes < MEBIBYTE ? `${bytes} bytes` : `${bytes / MEBIBYTE} MiB`;
}
