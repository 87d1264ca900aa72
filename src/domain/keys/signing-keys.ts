import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyAlgorithm, SigningKey } from "#formats/badges/public-key.js";
import { openSigningKey, type Signer } from "#formats/badges/signer.js";
import { newSigningKey, readSigningKey } from "#formats/badges/signing-key.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { createFileOnce } from "#infrastructure/files/create-file-once.js";
import type { KeySettings } from "./key-settings.js";

export interface IssuerKeys {
  readonly all: readonly SigningKey[];
  /**
   * The first Ed25519 key that is not revoked. It signs documents and status lists.
   * @throws Problem `failed-precondition` if all such keys are revoked
   */
  readonly ed25519: SigningKey;
  /** The first P-256 key that is not revoked. It signs JWTs. */
  readonly p256: SigningKey | undefined;
  /** Returns the first key of this kind that is not revoked. */
  first(algorithm: KeyAlgorithm): SigningKey | undefined;
  /** Returns the key with this fragment, unless it is revoked. */
  usable(fragment: string | null): SigningKey | undefined;
  setRevoked(fragments: readonly string[]): void;
}

/** The private keys of this process. */
export interface SigningKeys {
  /** The service's own keys. They also sign for organisations that have no keys. */
  readonly own: IssuerKeys;
  /** The keys of all issuers by organisation. The organisation is empty for the service itself. */
  readonly issuers: ReadonlyMap<string, IssuerKeys>;
  /**
   * Returns `undefined` if this process does not have the organisation's keys.
   * @param organisation undefined for the service itself
   */
  of(organisation: string | undefined): IssuerKeys | undefined;
  /** Like `of`, but also finds keys that were only just saved. */
  find(organisation: string | undefined): Promise<IssuerKeys | undefined>;
  setRevoked(fragments: readonly string[]): void;
  /** Sets the keys that administrators have saved. Keys from the settings take precedence. */
  setStored(keys: ReadonlyMap<string, readonly SigningKey[]>): void;
  /** Sets the function with which `find` reads the saved keys again. */
  readMissingBy(read: () => Promise<void>): void;
}

/** @param given the keys in the settings by organisation, which is empty for the service itself */
export function createSigningKeys(given: ReadonlyMap<string, readonly SigningKey[]>): SigningKeys {
  let issuers: ReadonlyMap<string, IssuerKeys> = new Map();
  let revoked: readonly string[] = [];
  let readMissing = async () => {};
  const of = (organisation = "") => issuers.get(organisation);
  function setStored(stored: ReadonlyMap<string, readonly SigningKey[]>) {
    const names = new Set(["", ...given.keys(), ...stored.keys()]);
    issuers = new Map(
      [...names].map((name) => {
        const keys = [...(given.get(name) ?? []), ...(stored.get(name) ?? [])];
        return [name, createIssuerKeys(keys, name || undefined)];
      }),
    );
    for (const keys of issuers.values()) keys.setRevoked(revoked);
  }
  setStored(new Map());
  return {
    get own() {
      return issuers.get("") as IssuerKeys;
    },
    get issuers() {
      return issuers;
    },
    of,
    async find(organisation) {
      if (!of(organisation)) await readMissing();
      return of(organisation);
    },
    setStored,
    readMissingBy(read) {
      readMissing = read;
    },
    setRevoked(fragments) {
      revoked = fragments;
      for (const keys of issuers.values()) keys.setRevoked(fragments);
    },
  };
}

function createIssuerKeys(all: readonly SigningKey[], organisation?: string): IssuerKeys {
  let usable = all;
  const first = (algorithm: KeyAlgorithm) => usable.find((key) => key.algorithm === algorithm);
  return {
    all,
    first,
    get ed25519() {
      const key = first("Ed25519");
      if (key) return key;
      const owner = organisation ?? "this service";
      throw failedPrecondition(
        all.length === 0
          ? `The keys of ${owner} can't be read: see Administration › Organisations in the console.`
          : `Every Ed25519 key of ${owner} is revoked: put a new key at the beginning of ${settingOf(organisation)}, and restart, or create new keys in the console.`,
      );
    },
    get p256() {
      return first("P-256");
    },
    usable: (fragment) => usable.find((key) => key.fragment === fragment),
    setRevoked(fragments) {
      usable = all.filter((key) => !fragments.includes(key.fragment));
    },
  };
}

/** Returns the name of the setting that contains an issuer's keys. */
export function settingOf(organisation: string | undefined): string {
  return organisation === undefined
    ? "SIGNING_KEY_FILES"
    : `the signing_keys of ${organisation} in ISSUERS_FILE`;
}

/** Maximum size of a key file, in bytes. A key has about 240. */
const MAX_KEY_SIZE = 16 * 1024;

const MAX_SIZE = 64 * 1024;

const KEY_FILE_NAMES: Readonly<Record<KeyAlgorithm, string>> = {
  Ed25519: "ed25519.pem",
  "P-256": "p-256.pem",
};

/** Matches a plug-in's key, `<signer>:<reference>`. All other texts are names of files. */
export const ofSigner = /^[A-Za-z_]\w*(\.\w+)+:/;

/** Matches file names of stored keys. The names of keys created by `keys new` contain the time. */
const KEY_FILE_PATTERN = /^(?:ed25519|p-256)(-\d{8}T\d{6}Z)?\.pem$/;

/**
 * Reads the keys in the settings. The first key of each kind signs. With the embedded database and without key files,
 * reads the keys in the data directory instead, newest first. If there are none, `serve` creates them.
 * @param signers of plug-ins, whose keys are written as `<signer>:<reference>`
 * @param areStored whether the database contains the service's own keys, which `setStored` then sets
 * @returns undefined if there are no keys, so that the service signs nothing
 * @throws Problem `failed-precondition` naming the file and its fault
 */
export async function readSigningKeys(
  {
    dataDir,
    databaseUrl,
    signsBadges,
    signingKeyFiles,
    issuers,
  }: Pick<KeySettings, "dataDir" | "databaseUrl" | "signsBadges" | "signingKeyFiles" | "issuers">,
  missing: "make" | "refuse",
  signers: readonly Signer[] = [],
  areStored = false,
): Promise<SigningKeys | undefined> {
  const directory = storedKeysDirectory(dataDir);
  if (!signsBadges) return undefined;
  const isKept = signingKeyFiles.length === 0 && databaseUrl === undefined;
  if (isKept && missing === "make") await makeMissing(directory);
  const named = isKept ? await storedKeys(directory) : signingKeyFiles;
  if (named.length === 0 && !areStored) return undefined;
  const opened = new Map<string, readonly SigningKey[]>();
  if (named.length > 0) opened.set("", await openKeys(named, signers, undefined));
  for (const [name, { signingKeyFiles }] of issuers)
    opened.set(name, await openKeys(signingKeyFiles, signers, name));
  checkDistinct([...opened.values()]);
  return createSigningKeys(opened);
}

async function openKeys(
  named: readonly string[],
  signers: readonly Signer[],
  organisation: string | undefined,
): Promise<readonly SigningKey[]> {
  const setting = settingOf(organisation);
  const all = await Promise.all(named.map((each) => openKey(each, signers, setting)));
  if (all.some(({ algorithm }) => algorithm === "Ed25519")) return all;
  throw failedPrecondition(
    `${named.join(", ")}: none of these is an Ed25519 key, but ${setting} must name one.`,
  );
}

/** Checks that issuers don't share a key, because each of them could sign as the other. */
function checkDistinct(issuers: readonly (readonly SigningKey[])[]): void {
  const seen = new Set<string>();
  for (const keys of issuers) {
    const fragments = new Set(keys.map(({ fragment }) => fragment));
    for (const fragment of fragments) {
      if (!seen.has(fragment)) {
        seen.add(fragment);
        continue;
      }
      throw failedPrecondition(
        `SIGNING_KEY_FILES and ISSUERS_FILE name the key ${fragment} twice: each issuer needs its own keys.`,
      );
    }
  }
}

export function storedKeysDirectory(dataDir: string): string {
  return join(dataDir, "signing-keys");
}

/** Returns a file name that sorts before the existing ones. */
export function newStoredName(algorithm: KeyAlgorithm, now: Date): string {
  return KEY_FILE_NAMES[algorithm].replace(".pem", `-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.pem`);
}

/**
 * Creates a key in a file that only its owner can read.
 * @throws Problem `failed-precondition` if the file exists, or can't be written
 */
export async function writeNewKey(path: string, algorithm: KeyAlgorithm): Promise<SigningKey> {
  const pem = newSigningKey(algorithm);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, pem, { mode: 0o600, flag: "wx", flush: true });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "already exists" : `can't be written: ${message}`;
    throw failedPrecondition(`${path} ${why}. No key was created.`, { cause });
  }
  return readSigningKey(pem);
}

/** @param named a file, or `<signer>:<reference>` for a plug-in's key */
export async function openKey(
  named: string,
  signers: readonly Signer[],
  setting: string,
): Promise<SigningKey> {
  try {
    const { signer, reference } = signerIn(named, signers);
    return signer
      ? withOutages(await openSigningKey(signer, reference), named)
      : readSigningKey(await readSmall(named, MAX_KEY_SIZE));
  } catch (cause) {
    throw failedPrecondition(`${named} (named in ${setting}): ${(cause as Error).message}.`, {
      cause,
    });
  }
}

/**
 * Returns the signer for a plug-in's key. For a file, `signer` is undefined.
 * @throws RangeError if no plug-in provides the signer
 */
export function signerIn(named: string, signers: readonly Signer[]) {
  const colon = named.indexOf(":");
  const name = named.slice(0, Math.max(0, colon));
  const signer = signers.find((each) => each.name === name);
  if (!signer && ofSigner.test(named) && !existsSync(named)) {
    throw new RangeError(
      `names the signer ${name}, which no plug-in provides: add its module to LEARNING_CREDENTIALS_PLUGINS`,
    );
  }
  return { signer, reference: named.slice(colon + 1) };
}

/** @throws RangeError if the file is larger than `most` */
export async function readSmall(path: string, most = MAX_SIZE): Promise<string> {
  const { size } = await stat(path);
  if (size > most) throw new RangeError(`has ${size} bytes; at most ${most} are accepted`);
  return readFile(path, "utf8");
}

/** Reports a failing signer as temporarily unavailable, because the content to sign can't be the cause. */
function withOutages(key: SigningKey, named: string): SigningKey {
  return {
    ...key,
    async sign(bytes) {
      try {
        return await key.sign(bytes);
      } catch (cause) {
        throw new Problem("unavailable", `The signing key ${named} can't be used now.`, { cause });
      }
    },
  };
}

async function storedKeys(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((): string[] => []);
  const madeAt = (name: string) => KEY_FILE_PATTERN.exec(name)?.[1] ?? "";
  return names
    .filter((name) => KEY_FILE_PATTERN.test(name))
    .sort((one, other) => compare(madeAt(other), madeAt(one)) || compare(one, other))
    .map((name) => join(directory, name));
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

async function makeMissing(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const there = await readdir(directory);
    for (const [algorithm, name] of Object.entries(KEY_FILE_NAMES))
      if (!there.includes(name))
        await createFileOnce(join(directory, name), newSigningKey(algorithm as KeyAlgorithm));
  } catch (cause) {
    throw failedPrecondition(
      `${directory} can't be written to (${(cause as Error).message}): run as its owner, or set DATA_DIR ` +
        "to another one.",
      { cause },
    );
  }
}
