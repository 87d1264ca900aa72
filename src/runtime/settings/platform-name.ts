import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "platform-name";

/** Returns the platform name stored in a data directory, if any. */
export function readPlatformName(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), "utf8").trim().slice(0, 255) || undefined;
  } catch {
    return undefined; // most data directories have no such file; code that needs the directory reports other errors
  }
}

/** Stores the platform name. All processes that share the data directory use it unless PLATFORM_NAME is set. */
export async function storePlatformName(dataDir: string, name: string): Promise<void> {
  await writeFile(join(dataDir, FILE), `${name}\n`, { mode: 0o600 });
}
