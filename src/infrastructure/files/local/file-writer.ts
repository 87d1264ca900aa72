import { Worker } from "node:worker_threads";
import { createGrouping } from "#foundation/concurrency/grouping.js";
import { threadModule } from "#foundation/concurrency/thread-module.js";
import type { NewFile, WriteFault, WriteRequest, WriteResponse } from "./write-thread.js";

/** Files that belong together: either all are written, or an error is thrown. */
type FileGroup = readonly { readonly path: string; readonly bytes: Uint8Array }[];

interface Waiting {
  resolve(faults: WriteResponse["faults"]): void;
  reject(reason: unknown): void;
}

/**
 * Memory limits of the thread. It needs little memory, because it only makes system calls. Node's thread pool is not
 * used, because it would take three times the processor time: each call switches to one of the pool's threads and back.
 */
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 };

/** Files that arrive within this time are written together. */
const BATCH_WINDOW_MS = 20;

let thread: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/** Writes several groups of files together. A fault in one group makes only that group fail. */
const writeGrouped = createGrouping<FileGroup, WriteFault | undefined>(
  { size: 64, isOfOneItem: () => false, apartMs: BATCH_WINDOW_MS },
  requestWriting,
);

/**
 * Writes files atomically and durably, in this order: the name of a file appears only after its bytes are safely on the
 * disk. Only the current user can read the files. Missing directories are created. Files that are written at the same
 * time are synced together.
 * @throws Error with the code of the system call that failed
 */
export async function writeFiles(writing: FileGroup): Promise<void> {
  const fault = await writeGrouped(writing);
  if (fault) throw Object.assign(new Error(fault.message), { code: fault.code });
}

function requestWriting(writings: readonly FileGroup[]): Promise<WriteResponse["faults"]> {
  const id = ++lastId;
  const copied = writings.map((files) => files.map(({ path, bytes }) => ({ path, bytes: copyOf(bytes) })));
  const buffers = copied.flatMap((files) => files.map(({ bytes }) => bytes.buffer));
  return new Promise((resolve, reject) => {
    thread ??= startThread();
    waiting.set(id, { resolve, reject });
    thread.ref();
    thread.postMessage({ id, writings: copied } satisfies WriteRequest, buffers);
  });
}

/** Copies the bytes into a separate buffer, which can be transferred to the thread. */
function copyOf(bytes: Uint8Array): NewFile["bytes"] {
  return new Uint8Array(bytes);
}

/** If the thread fails, the groups that it is writing fail, and the next group starts another thread. */
function startThread(): Worker {
  const started = new Worker(threadModule(import.meta.url, "write-thread"), { resourceLimits: MEMORY });
  let cause: unknown;
  started.on("message", ({ id, faults }: WriteResponse) => {
    waiting.get(id)?.resolve(faults);
    waiting.delete(id);
    if (waiting.size === 0) started.unref();
  });
  started.on("error", (error) => {
    cause = error;
  });
  started.on("exit", () => {
    thread = undefined;
    for (const { reject } of waiting.values())
      reject(new Error("The thread that writes files ended.", { cause }));
    waiting.clear();
  });
  return started;
}
