import { randomBytes } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeyAlgorithm, SigningKey } from "../badges/public-key.js";
import { newSigningKey, readSigningKey } from "../badges/signing-key.js";
import { Problem } from "../errors.js";
import type { Config } from "./config.js";

/** The private keys of a process. All their public keys are published. */
export interface SigningKeys {
  /** Signs documents, and status lists. */
  readonly ed25519: SigningKey;
  /** Signs JWTs; undefined: there are none. */
  readonly p256: SigningKey | undefined;
  readonly all: readonly SigningKey[];
}

/** A key takes some 240 bytes. */
const MAX_SIZE = 16 * 1024;

const KEPT: Readonly<Record<KeyAlgorithm, string>> = { Ed25519: "ed25519.pem", "P-256": "p-256.pem" };

/**
 * Reads the keys that the settings name; of each kind the first one signs. On the embedded database, those that are kept in the
 * data directory, which `serve` makes when there are none.
 * @returns undefined where there are none: then nothing is signed
 * @throws Problem `failed-precondition` naming the file and what is wrong with it
 */
export async function readSigningKeys(
  { dataDir, databaseUrl, signingKeyFiles }: Config,
  missing: "make" | "refuse",
): Promise<SigningKeys | undefined> {
  const directory = join(dataDir, "signing-keys");
  const isKept = signingKeyFiles.length === 0 && databaseUrl === undefined;
  if (isKept && missing === "make") await makeMissing(directory);
  const paths = isKept ? await keptKeys(directory) : signingKeyFiles;
  if (paths.length === 0) return undefined;
  const all = await Promise.all(paths.map(readKey));
  const ed25519 = all.find(({ algorithm }) => algorithm === "Ed25519");
  if (ed25519) return { ed25519, p256: all.find(({ algorithm }) => algorithm === "P-256"), all };
  throw new Problem(
    "failed-precondition",
    `${paths.join(", ")}: there is no Ed25519 key among them: one must be in SIGNING_KEY_FILES.`,
  );
}

async function readKey(path: string): Promise<SigningKey> {
  try {
    const { size } = await stat(path);
    if (size > MAX_SIZE) throw new RangeError(`has ${size} bytes, which is no key`);
    return readSigningKey(await readFile(path, "utf8"));
  } catch (cause) {
    throw new Problem(
      "failed-precondition",
      `${path}: ${(cause as Error).message}. SIGNING_KEY_FILES names it.`,
      {
        cause,
      },
    );
  }
}

async function keptKeys(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((): string[] => []);
  return Object.values(KEPT)
    .filter((name) => names.includes(name))
    .map((name) => join(directory, name));
}

async function makeMissing(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const [algorithm, name] of Object.entries(KEPT))
      await make(join(directory, name), algorithm as KeyAlgorithm);
  } catch (cause) {
    throw new Problem(
      "failed-precondition",
      `${directory} can't be written to (${(cause as Error).message}): run as the user whom it belongs to, or set DATA_DIR ` +
        "to another one.",
      { cause },
    );
  }
}

/** It has its name only once it is complete; of two processes that make it at once, the first one's counts. */
async function make(path: string, algorithm: KeyAlgorithm): Promise<void> {
  if (
    await stat(path).then(
      () => true,
      () => false,
    )
  )
    return;
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(draft, newSigningKey(algorithm), { mode: 0o600, flag: "wx", flush: true });
    await link(draft, path).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}
