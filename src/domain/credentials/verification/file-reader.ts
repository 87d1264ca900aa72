import type { PublicKey } from "#formats/badges/public-key.js";
import { createFairSemaphore } from "#foundation/concurrency/semaphore.js";
import { threadModule } from "#foundation/concurrency/thread-module.js";
import { createThreadPool } from "#foundation/concurrency/thread-pool.js";
import { tooManyRequests } from "#foundation/errors.js";
import type { FileContents, ReadTask } from "./file-reader-thread.js";

/**
 * Reads a file, and checks the signature of the badge in it.
 * @param keys that may have signed it
 * @param client whose share of the queue it takes
 * @throws Problem `overloaded` if too much is waiting; `unavailable` if the file takes too long
 */
export type ReadFile = (
  file: Uint8Array,
  keys: readonly PublicKey[],
  client: string,
) => Promise<FileContents>;

/** Reads files of anyone in a thread, one after the other, so that calls go on meanwhile. */
export interface FileReader {
  readonly read: ReadFile;
  /** Reads what is waiting, then ends the thread. */
  close(): Promise<void>;
}

/** Files that are waiting or being read have at most this many bytes together: eight of the largest. */
const MAX_WAITING = 32 * 1024 * 1024;

/** The fraction of it that one client can have. */
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
        // A copy, because the buffer has other parts of the request, too. `slice` of a Buffer makes none.
        const own = new Uint8Array(file);
        return await pool.run({ file: own, keys }, { transfer: [own.buffer] });
      } finally {
        waiting.release(client, bytes);
      }
    },
    close: pool.close,
  };
}
