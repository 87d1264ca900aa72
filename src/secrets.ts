import { randomBytes } from "node:crypto";
import { link, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config.js";
import { Problem } from "./errors.js";

/** The secrets that the settings give, or that the data directory keeps. */
export interface Secrets {
  /** None where only a JWKS tells which tokens to trust. The first signs, all of them verify. */
  readonly authJwtSecrets: readonly string[];
  /** The first signs, all of them verify. */
  readonly urlSigningSecrets: readonly [string, ...string[]];
}

const KEPT = /^[0-9a-f]{64}$/;

/**
 * Those that are missing are made and kept in the data directory, readable by its owner only. That happens on the
 * embedded database alone: beside a given one `readConfig` insists on them.
 * @throws Problem `failed-precondition` when they can't be kept there
 */
export async function readSecrets({ auth, dataDir, urlSigningSecrets }: Config): Promise<Secrets> {
  const trustsNobody = auth.secrets.length === 0 && auth.jwksUrl === undefined;
  const [signing = await localSecret(dataDir, "url-signing-secret"), ...earlier] = urlSigningSecrets;
  return {
    authJwtSecrets: trustsNobody ? [await localSecret(dataDir, "auth-jwt-secret")] : auth.secrets,
    urlSigningSecrets: [signing, ...earlier],
  };
}

async function localSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const secret = await readOrMake(dataDir, path).catch((cause) => {
    throw new Problem(
      "failed-precondition",
      `${path} can't be read or made (${cause.message}): run as the user whom the directory belongs to, ` +
        "or set DATA_DIR to another one.",
      { cause },
    );
  });
  if (KEPT.test(secret)) return secret;
  throw new Problem("failed-precondition", `${path} is damaged: remove it, and a new secret is made.`);
}

async function readOrMake(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return readFile(path, "utf8").catch(async (error) => {
    if (error.code !== "ENOENT") throw error;
    await make(dataDir, path);
    return readFile(path, "utf8");
  });
}

/** It has its name only once it is complete; of two processes that make it at once, the first one's counts. */
async function make(dataDir: string, path: string): Promise<void> {
  const draftDirectory = await mkdtemp(join(dataDir, "new-secret-"));
  try {
    const draft = join(draftDirectory, "secret");
    await writeFile(draft, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
    await link(draft, path).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draftDirectory, { recursive: true, force: true });
  }
}
