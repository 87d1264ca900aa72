import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { ignoreMissingFile } from "#foundation/errors.js";
import type { Directories } from "./directories.js";

/**
 * Moves a file within a file system atomically.
 * @param to absolute; missing directories are created, and an existing file is replaced
 * @returns true if there was a file to move
 */
export async function moveDurably(directories: Directories, from: string, to: string): Promise<boolean> {
  await directories.make(dirname(to));
  const isMoved = await rename(from, to).then(() => true, ignoreMissingFile);
  if (!isMoved) return false;
  await directories.sync(dirname(to));
  await directories.sync(dirname(from));
  return true;
}
