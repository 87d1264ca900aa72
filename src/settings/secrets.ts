import { randomBytes } from "node:crypto";
import { link, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Problem } from "../errors.js";
import type { Config } from "./config.js";

/** The secrets that the settings give, or that the data directory keeps. */
export interface Secrets {
  /** None where only a JWKS tells which tokens to trust, and in commands, which check none. The first signs, all verify. */
  readonly authJwtSecrets: readonly string[];
  /** The first signs, all of them verify. */
  readonly urlSigningSecrets: readonly [string, ...string[]];
}

const KEPT = /^[0-9a-f]{64}$/;

/** What becomes of a secret that is not there: `serve` makes it, and nobody else. */
type Missing = "make" | "refuse";

/**
 * Those that sign links to files. One that is missing in the settings lies in the data directory, readable by its owner only.
 * That happens on the embedded database alone: beside a given one `readConfig` insists on it.
 * @throws Problem `failed-precondition` when it can't be kept there, or is not there to be found
 */
export async function readUrlSigningSecrets(
  { dataDir, urlSigningSecrets: [first, ...earlier] }: Config,
  missing: Missing,
): Promise<Secrets["urlSigningSecrets"]> {
  return [
    first ?? (await localSecret(dataDir, "url-signing-secret", "URL_SIGNING_SECRET", missing)),
    ...earlier,
  ];
}

/**
 * The same for those that sign tokens; none where only a JWKS tells which tokens to trust.
 * @throws Problem `failed-precondition` as above
 */
export async function readTokenSecrets(
  { dataDir, auth }: Config,
  missing: Missing,
): Promise<Secrets["authJwtSecrets"]> {
  const trustsNobody = auth.secrets.length === 0 && auth.jwksUrl === undefined;
  return trustsNobody
    ? [await localSecret(dataDir, "auth-jwt-secret", "AUTH_JWT_SECRET", missing)]
    : auth.secrets;
}

async function localSecret(
  dataDir: string,
  name: string,
  setting: string,
  missing: Missing,
): Promise<string> {
  const path = join(dataDir, name);
  const secret = await (missing === "make" ? readOrMake(dataDir, path) : readFile(path, "utf8")).catch(
    (cause) => {
      throw new Problem(
        "failed-precondition",
        cause.code === "ENOENT" ? noSecret(dataDir, name, setting) : unusable(path, cause),
        { cause },
      );
    },
  );
  if (KEPT.test(secret)) return secret;
  throw new Problem(
    "failed-precondition",
    `${path} is damaged: remove it, and \`serve\` makes a new secret.`,
  );
}

function noSecret(dataDir: string, name: string, setting: string): string {
  return (
    `There is no secret ${name} in ${resolve(dataDir)}: set DATA_DIR to that of the service, or ${setting} as the ` +
    "service has it. `serve` alone makes secrets, when it first runs on a directory."
  );
}

function unusable(path: string, { message }: Error): string {
  return (
    `${path} can't be read or made (${message}): run as the user whom the directory belongs to, ` +
    "or set DATA_DIR to another one."
  );
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
