import type { Dirent } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isFileKey } from "../file-key.js";
import type { StoredFile } from "../file-store.js";
import { onDisk, unlessAbsent } from "./disk-fault.js";

/**
 * The files below a directory, as deep as they lie. What has no key is none of ours: names that begin with a dot, or that
 * somebody else has put there.
 * @param path of the directory
 * @param key what stands for it in the keys
 */
export async function* walkDirectory(path: string, key: string): AsyncGenerator<StoredFile> {
  const directory = await onDisk(path, () => opendir(path).catch(unlessAbsent));
  if (!directory) return;
  try {
    for (;;) {
      const entry = await onDisk(path, () => directory.read());
      if (!entry) return;
      yield* filesOf(entry, join(path, entry.name), `${key}/${entry.name}`);
    }
  } finally {
    await directory.close();
  }
}

/** The file, if it is still there, and is one. */
export async function statFile(path: string, key: string): Promise<StoredFile | undefined> {
  const stats = await onDisk(path, () => stat(path).catch(unlessAbsent));
  return stats?.isFile() ? { key, size: stats.size, lastModified: stats.mtime } : undefined;
}

async function* filesOf(entry: Dirent, path: string, key: string): AsyncGenerator<StoredFile> {
  if (!isFileKey(key)) return;
  if (entry.isDirectory()) {
    yield* walkDirectory(path, key);
    return;
  }
  const file = await statFile(path, key);
  if (file) yield file;
}
