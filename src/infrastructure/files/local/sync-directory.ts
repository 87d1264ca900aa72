import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Checks that a file can be written. Writes the bytes through to the disk, and removes the file.
 * @param path used only for this check; several processes may check at the same time
 */
export async function checkWritable(path: string, bytes: Uint8Array): Promise<void> {
  await makeDirectory(dirname(path));
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

/**
 * Syncs by directory. Callers that arrive during a sync share the next sync, because the current sync may miss their
 * change.
 */
const inProgress = new Map<string, Promise<void>>();
const queued = new Map<string, Promise<void>>();

/** Makes an added or removed name in the directory durable. */
export function syncDirectory(directory: string): Promise<void> {
  const before = inProgress.get(directory);
  if (!before) return beginSync(directory);
  const pendingSync = queued.get(directory);
  if (pendingSync) return pendingSync;
  const begin = () => {
    queued.delete(directory);
    return beginSync(directory);
  };
  const sync = before.then(begin, begin);
  queued.set(directory, sync);
  return sync;
}

function beginSync(directory: string): Promise<void> {
  const sync = openAndSync(directory).finally(() => inProgress.delete(directory));
  inProgress.set(directory, sync);
  return sync;
}

async function openAndSync(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a directory and its missing parents, durably. Only the current user can read them. */
export async function makeDirectory(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = directory; made.length >= first.length; made = dirname(made)) {
    await syncDirectory(dirname(made));
  }
}
