import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes changes of directories durable. */
export interface Directories {
  /** Syncs the directory, so that added and removed entries survive a crash. */
  sync(directory: string): Promise<void>;
  /** Creates a directory and its missing parents, durably. Only the current user can read them. */
  make(directory: string): Promise<void>;
}

/** Callers that arrive during a sync share the next sync, because the current sync may miss their change. */
export function createDirectories(): Directories {
  const inProgress = new Map<string, Promise<void>>();
  const queued = new Map<string, Promise<void>>();

  function sync(directory: string): Promise<void> {
    const before = inProgress.get(directory);
    if (!before) return beginSync(directory);
    const pendingSync = queued.get(directory);
    if (pendingSync) return pendingSync;
    const begin = () => {
      queued.delete(directory);
      return beginSync(directory);
    };
    const next = before.then(begin, begin);
    queued.set(directory, next);
    return next;
  }

  function beginSync(directory: string): Promise<void> {
    const begun = openAndSync(directory).finally(() => inProgress.delete(directory));
    inProgress.set(directory, begun);
    return begun;
  }

  return {
    sync,
    async make(directory) {
      const first = await mkdir(directory, { recursive: true, mode: 0o700 });
      if (first === undefined) return;
      for (let made = directory; made.length >= first.length; made = dirname(made)) await sync(dirname(made));
    },
  };
}

/**
 * Checks that a file can be written. Writes the bytes through to the disk, and removes the file.
 * @param path used only for this check; several processes may check at the same time
 */
export async function checkWritable(
  directories: Directories,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  await directories.make(dirname(path));
  try {
    const handle = await open(path, "w", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

async function openAndSync(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
