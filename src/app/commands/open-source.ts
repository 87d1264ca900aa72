import { type FileHandle, open } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { invalid } from "#foundation/errors.js";

/** An input that is read sequentially, once. */
interface InputSource {
  /** Throws when the signal passed to `openSource` aborts. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** undefined if the size is unknown, for example for standard input. */
  readonly totalBytes: number | undefined;
  bytesRead(): number;
}

/**
 * Opens a file, or standard input if the name is `-`.
 * @throws Problem `invalid` if the file can't be read
 */
export async function openSource(file: string, signal: AbortSignal): Promise<InputSource> {
  if (file === "-") {
    return { chunks: addAbortSignal(signal, process.stdin), totalBytes: undefined, bytesRead: () => 0 };
  }
  try {
    const handle = await open(file);
    const totalBytes = await readableSize(handle);
    const stream = addAbortSignal(signal, handle.createReadStream({ highWaterMark: 256 * 1024 }));
    return { chunks: stream, totalBytes, bytesRead: () => stream.bytesRead };
  } catch (error) {
    throw invalid(`${file} can't be read: ${error instanceof Error ? error.message : error}`, error);
  }
}

/**
 * @returns undefined for a pipe or a device
 * @throws Error for a directory
 */
async function readableSize(handle: FileHandle): Promise<number | undefined> {
  const about = await handle.stat();
  if (!about.isDirectory()) return about.isFile() ? about.size : undefined;
  await handle.close();
  throw new Error("it is a directory");
}
