import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Writes a file atomically: its name appears once its bytes are safely on the disk. Only this user can read
 * it.
 * @param path absolute; missing directories are created
 */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const directory = dirname(path);
  await makeDirectory(directory);
  const draft = join(directory, `.${basename(path).slice(0, 50)}.${randomUUID()}`);
  try {
    await writeSynced(draft, bytes, "wx");
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/**
 * Checks that such a file could be written: writes the bytes through to the disk, and removes them.
 * @param path used for nothing else; several processes may check at once
 */
export async function checkWritable(path: string, bytes: Uint8Array): Promise<void> {
  await makeDirectory(dirname(path));
  try {
    await writeSynced(path, bytes, "w");
  } finally {
    await rm(path, { force: true });
  }
}

/** Syncs by directory: those under way, and those that begin afterwards. */
const underWay = new Map<string, Promise<void>>();
const next = new Map<string, Promise<void>>();

/**
 * Makes an added or removed name in the directory durable. All who ask while a sync of the directory is under
 * way share the next one.
 */
export function syncDirectory(directory: string): Promise<void> {
  const before = underWay.get(directory);
  if (!before) return beginSync(directory);
  const known = next.get(directory);
  if (known) return known;
  const begin = () => {
    next.delete(directory);
    return beginSync(directory);
  };
  const sync = before.then(begin, begin);
  next.set(directory, sync);
  return sync;
}

function beginSync(directory: string): Promise<void> {
  const sync = openAndSync(directory).finally(() => underWay.delete(directory));
  underWay.set(directory, sync);
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

/** Creates a directory and its missing parents, durably. Only this user can read them. */
export async function makeDirectory(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = directory; made.length >= first.length; made = dirname(made)) {
    await syncDirectory(dirname(made));
  }
}

async function writeSynced(path: string, bytes: Uint8Array, flags: "w" | "wx"): Promise<void> {
  const handle = await open(path, flags, 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
