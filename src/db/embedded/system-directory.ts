import { chmod, lstat, mkdir } from "node:fs/promises";
import { Problem } from "../../errors.js";

const SYSTEM_DIRECTORY = "/var/lib/learning-credentials";

/**
 * The directory, made by root and only used by root, for what another account must reach but can't where it is. It is
 * not in a temporary directory: there anybody could have made it before us, and it would be swept away.
 */
export async function openSystemDirectory(): Promise<string> {
  await mkdir(SYSTEM_DIRECTORY, { recursive: true });
  const { uid, mode } = await lstat(SYSTEM_DIRECTORY);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw new Problem(
      "failed-precondition",
      `${SYSTEM_DIRECTORY} must belong to root and be writable by root alone, and isn't: remove it, ` +
        "or set DATABASE_URL to use another Postgres",
    );
  }
  await chmod(SYSTEM_DIRECTORY, 0o711);
  return SYSTEM_DIRECTORY;
}
