import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config.js";

/** The secrets that the settings give, or that the data directory keeps. */
export interface Secrets {
  /** Absent where only a JWKS tells which tokens to trust. */
  readonly authJwtSecret: string | undefined;
  readonly urlSigningSecret: string;
}

/**
 * Those that are missing are made and kept in the data directory, readable by its owner only. That happens on the
 * embedded database alone: beside a given one `readConfig` insists on them.
 */
export async function readSecrets({ auth, dataDir, urlSigningSecret }: Config): Promise<Secrets> {
  const trustsNobody = auth.secret === undefined && auth.jwksUrl === undefined;
  return {
    authJwtSecret: trustsNobody ? await localSecret(dataDir, "auth-jwt-secret") : auth.secret,
    urlSigningSecret: urlSigningSecret ?? (await localSecret(dataDir, "url-signing-secret")),
  };
}

async function localSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFile(path, "utf8");
}
