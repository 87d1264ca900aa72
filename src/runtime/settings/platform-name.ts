import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "platform-name";

/** Returns the issuer's name stored in a data directory; undefined if there is none. */
export function readPlatformName(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), "utf8").trim().slice(0, 255) || undefined;
  } catch {
    return undefined; // most have none; code that needs the directory reports its faults
  }
}

/** Makes every process on the data directory issue under this name, unless PLATFORM_NAME says otherwise. */
export async function storePlatformName(dataDir: string, name: string): Promise<void> {
  await writeFile(join(dataDir, FILE), `${name}\n`, { mode: 0o600 });
}
