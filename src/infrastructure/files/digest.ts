import { createHash } from "node:crypto";
import type { FileDigest } from "./file-store.js";

/** Returns the size and SHA-256 of a stream. Rethrows errors of the stream. */
export async function digestOf(stream: AsyncIterable<Buffer>): Promise<FileDigest> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest("hex"), size };
}
