import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "platform-name";

/** Returns the issuer's name stored in a data directory; undefined if there is none. */
export function readPlatformName(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), "utf8").trim().slice(0, 255) || undefined;
  } catch {
    return undefined; // most directories have none; code that needs the directory reports its errors
  }
}

/** Stores the platform's name, which all processes on the data directory use unless PLATFORM_NAME is set. */
export async function storePlatformName(dataDir: string, name: string): Promise<void> {
  await writeFile(join(dataDir, FILE), `${name}\n`, { mode: 0o600 });
}
