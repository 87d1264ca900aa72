import type { PublicKey } from "#formats/badges/public-key.js";
import { createFairSemaphore } from "#foundation/concurrency/semaphore.js";
import { threadModule } from "#foundation/concurrency/thread-module.js";
import { createThreadPool } from "#foundation/concurrency/thread-pool.js";
import { tooManyRequests } from "#foundation/errors.js";
import type { FileContents, ReadTask } from "./file-reader-thread.js";

/**
 * Reads a file, and checks the signature of its badge.
 * @param keys that may have signed the badge
 * @param client whose share of the queue the file uses
 * @throws Problem `overloaded` if the queue is full; `unavailable` if reading takes too long
 */
export type ReadFile = (
  file: Uint8Array,
  keys: readonly PublicKey[],
  client: string,
) => Promise<FileContents>;

/** Reads uploaded files in a thread, one at a time. A slow file doesn't block other requests. */
interface FileReader {
  readonly read: ReadFile;
  close(): Promise<void>;
}

/** Maximum total size of waiting files, in bytes: eight files of the maximum size. */
const MAX_WAITING = 32 * 1024 * 1024;

/** Share of `MAX_WAITING` that a single client may use. */
const MAX_CLIENT_SHARE = 1 / 4;

/** Smaller files count as this many bytes. This limits the number of waiting files. */
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
      if (!waiting.tryAcquire(client, MAX_CLIENT_SHARE, bytes)) throw tooManyRequests();
      try {
        // The buffer also contains other parts of the request, so only a copy of the file is transferred. `slice` of a
        // Buffer would not copy.
        const own = new Uint8Array(file);
        return await pool.run({ file: own, keys }, { transfer: [own.buffer] });
      } finally {
        waiting.release(client, bytes);
      }
    },
    close: pool.close,
  };
}
