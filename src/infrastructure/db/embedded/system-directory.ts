import { chmod, lstat, mkdir } from "node:fs/promises";
import { failedPrecondition } from "#foundation/errors.js";

const SYSTEM_DIRECTORY = "/var/lib/learning-credentials";

/**
 * Opens a directory to which only root can write. It is for files that another account can't read in their original
 * place. A temporary directory would not be safe: anyone could have created it first, and a cleanup could delete its
 * files.
 */
export async function openSystemDirectory(): Promise<string> {
  await mkdir(SYSTEM_DIRECTORY, { recursive: true });
  const { uid, mode } = await lstat(SYSTEM_DIRECTORY);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw failedPrecondition(
      `${SYSTEM_DIRECTORY} must be owned by root and writable only by root: remove it, ` +
        "or set DATABASE_URL to use another Postgres",
    );
  }
  await chmod(SYSTEM_DIRECTORY, 0o711);
  return SYSTEM_DIRECTORY;
}
