import { createHash } from "node:crypto";
import type { FileDigest } from "./file-store.js";

/** Reads a stream to its end and returns its hash and size. Rethrows errors of the stream. */
export async function digestOf(stream: AsyncIterable<Buffer>): Promise<FileDigest> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest("hex"), size };
}
