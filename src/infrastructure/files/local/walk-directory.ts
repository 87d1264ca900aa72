import type { Dirent } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissingFile } from "#foundation/errors.js";
import { isFileKey } from "../file-key.js";
import type { StoredFile } from "../file-store.js";
import { onDisk } from "./disk-fault.js";

/**
 * Yields the files below a directory, at any depth. By default, files without a valid key are skipped: names that begin
 * with a dot, and files from other sources.
 * @param path of the directory
 * @param key prefix of keys in the directory
 * @param isWanted decides by the key of a file
 */
export async function* walkDirectory(
  path: string,
  key: string,
  isWanted: (key: string) => boolean = isFileKey,
): AsyncGenerator<StoredFile> {
  const directory = await onDisk(path, () => opendir(path).catch(ignoreMissingFile));
  if (!directory) return;
  try {
    for (;;) {
      const entry = await onDisk(path, () => directory.read());
      if (!entry) return;
      yield* filesOf(entry, join(path, entry.name), `${key}/${entry.name}`, isWanted);
    }
  } finally {
    await directory.close();
  }
}

/** Returns a file's properties; undefined if the file no longer exists or is not a regular file. */
export async function statFile(path: string, key: string): Promise<StoredFile | undefined> {
  const stats = await onDisk(path, () => stat(path).catch(ignoreMissingFile));
  return stats?.isFile() ? { key, size: stats.size, lastModified: stats.mtime } : undefined;
}

async function* filesOf(
  entry: Dirent,
  path: string,
  key: string,
  isWanted: (key: string) => boolean,
): AsyncGenerator<StoredFile> {
  if (entry.isDirectory()) {
    if (isFileKey(entry.name)) yield* walkDirectory(path, key, isWanted);
    return;
  }
  if (!isWanted(key)) return;
  const file = await statFile(path, key);
  if (file) yield file;
}
