import type { PublicKey } from "#formats/badges/public-key.js";
import { createFairSemaphore } from "#foundation/concurrency/semaphore.js";
import { threadModule } from "#foundation/concurrency/thread-module.js";
import { createThreadPool } from "#foundation/concurrency/thread-pool.js";
import { tooManyRequests } from "#foundation/errors.js";
import type { FileContents, ReadTask } from "./file-reader-thread.js";

/**
 * Reads a file, and checks the signature of the badge in it.
 * @param keys that may have signed the badge
 * @param client whose share of the queue the file uses
 * @throws Problem `overloaded` if the queue is full; `unavailable` if reading takes too long
 */
export type ReadFile = (
  file: Uint8Array,
  keys: readonly PublicKey[],
  client: string,
) => Promise<FileContents>;

/** Reads files from the public in a thread, one after the other, so that other calls can continue. */
export interface FileReader {
  readonly read: ReadFile;
  /** Reads the queued files, then ends the thread. */
  close(): Promise<void>;
}

/** Maximum total size of files that are queued or being read, in bytes: eight of the largest. */
const MAX_WAITING = 32 * 1024 * 1024;

/** Maximum share of one client. */
const SHARE = 1 / 4;

/** A smaller file counts as this many bytes, so that the number of files is limited, too. */
const MIN_BYTES = 64 * 1024;

export function createFileReader(): FileReader {
  const waiting = createFairSemaphore(MAX_WAITING);
  const pool = createThreadPool<ReadTask, FileContents>({
    module: threadModule(import.meta.url, "file-reader-thread"),
    workerData: undefined,
    threads: 1,
    subject: "Reading the file",
    timeLimitMs: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  });

  return {
    async read(file, keys, client) {
      const bytes = Math.max(file.length, MIN_BYTES);
      if (!waiting.tryAcquire(client, SHARE, bytes)) throw tooManyRequests();
      try {
        // A copy, because the buffer also contains other parts of the request. `slice` of a Buffer would not copy.
        const own = new Uint8Array(file);
        return await pool.run({ file: own, keys }, { transfer: [own.buffer] });
      } finally {
        waiting.release(client, bytes);
      }
    },
    close: pool.close,
  };
}
