import { randomBytes } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";

/**
 * Writes a file that only its owner can read, unless the file exists. The file gets its name only when it is complete.
 * If two processes create it, the first one wins.
 */
export async function createFileOnce(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: "wx", flush: true });
    await link(draft, path).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}
