import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyAlgorithm, SigningKey } from "#formats/badges/public-key.js";
import { openSigningKey, type Signer } from "#formats/badges/signer.js";
import { newSigningKey, readSigningKey } from "#formats/badges/signing-key.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { makeOnce } from "#infrastructure/files/make-once.js";
import type { KeySettings } from "./key-settings.js";

/** The private keys of an issuer. All their public keys are published. */
export interface IssuerKeys {
  readonly all: readonly SigningKey[];
  /**
   * Signs documents and status lists: the first Ed25519 key that is not revoked.
   * @throws Problem `failed-precondition` if all Ed25519 keys are revoked
   */
  readonly ed25519: SigningKey;
  /** Signs JWTs: the first P-256 key that is not revoked; undefined if there is none. */
  readonly p256: SigningKey | undefined;
  /** The first key of this kind that is not revoked. */
  first(algorithm: KeyAlgorithm): SigningKey | undefined;
  /** The key with this fragment, unless it is revoked. */
  usable(fragment: string | null): SigningKey | undefined;
  /** Sets which keys are revoked. */
  setRevoked(fragments: readonly string[]): void;
}

/** The private keys of a process. */
export interface SigningKeys {
  /** The service's own keys, which sign for all organisations without keys. */
  readonly own: IssuerKeys;
  /** The keys of organisations that issue under their own name. */
  readonly organisations: ReadonlyMap<string, IssuerKeys>;
  /**
   * @param organisation undefined: the service itself
   * @returns undefined if this process does not have the organisation's keys
   */
  of(organisation: string | undefined): IssuerKeys | undefined;
  /** Sets which keys are revoked. */
  setRevoked(fragments: readonly string[]): void;
}

export function createSigningKeys(
  all: readonly SigningKey[],
  ofOrganisations: ReadonlyMap<string, readonly SigningKey[]> = new Map(),
): SigningKeys {
  const own = createIssuerKeys(all);
  const organisations = new Map(
    [...ofOrganisations].map(([name, keys]) => [name, createIssuerKeys(keys, name)]),
  );
  return {
    own,
    organisations,
    of: (organisation) => (organisation === undefined ? own : organisations.get(organisation)),
    setRevoked(fragments) {
      for (const keys of [own, ...organisations.values()]) keys.setRevoked(fragments);
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
      throw failedPrecondition(
        `Every Ed25519 key of ${organisation ?? "this service"} is revoked: put a new one first in ${settingOf(organisation)}, and restart.`,
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

/** Returns the name of the setting with an issuer's keys. */
export function settingOf(organisation: string | undefined): string {
  return organisation === undefined
    ? "SIGNING_KEY_FILES"
    : `the signing_keys of ${organisation} in ISSUERS_FILE`;
}

/** In bytes. A key has about 240. */
const MAX_KEY_SIZE = 16 * 1024;

const MAX_SIZE = 64 * 1024;

const KEPT: Readonly<Record<KeyAlgorithm, string>> = { Ed25519: "ed25519.pem", "P-256": "p-256.pem" };

/** The beginning of a plug-in's key, `<signer>:<reference>`; other names are files. */
export const ofSigner = /^[A-Za-z_]\w*(\.\w+)+:/;

/** File names of stored keys: the initial ones, and those created by `keys new`, which contain the time. */
const KEPT_NAME = /^(?:ed25519|p-256)(-\d{8}T\d{6}Z)?\.pem$/;

/**
 * Reads the keys in the settings; the first one of each kind signs. With the embedded database, it reads those in the
 * data directory, newest first, and `serve` creates them if there are none.
 * @param signers of plug-ins, whose keys are written as `<signer>:<reference>`
 * @returns undefined if there are no keys, so that nothing is signed
 * @throws Problem `failed-precondition` naming the file and its fault
 */
export async function readSigningKeys(
  {
    dataDir,
    databaseUrl,
    signingKeyFiles,
    issuers,
  }: Pick<KeySettings, "dataDir" | "databaseUrl" | "signingKeyFiles" | "issuers">,
  missing: "make" | "refuse",
  signers: readonly Signer[] = [],
): Promise<SigningKeys | undefined> {
  const directory = storedKeysDirectory(dataDir);
  const isKept = signingKeyFiles.length === 0 && databaseUrl === undefined;
  if (isKept && missing === "make") await makeMissing(directory);
  const named = isKept ? await storedKeys(directory) : signingKeyFiles;
  if (named.length === 0) return undefined;
  const own = await openKeys(named, signers, undefined);
  const organisations = new Map<string, readonly SigningKey[]>();
  for (const [name, { signingKeyFiles }] of issuers)
    organisations.set(name, await openKeys(signingKeyFiles, signers, name));
  checkDistinct([own, ...organisations.values()]);
  return createSigningKeys(own, organisations);
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

/** Rejects a key that two issuers share, because each could sign as the other. */
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

/** Returns the directory of keys that are not in the settings. */
export function storedKeysDirectory(dataDir: string): string {
  return join(dataDir, "signing-keys");
}

/** Returns a file name for a new key that sorts before the existing ones. */
export function newStoredName(algorithm: KeyAlgorithm, now: Date): string {
  return KEPT[algorithm].replace(".pem", `-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.pem`);
}

/**
 * Creates a key and writes it to a file that only its owner can read.
 * @throws Problem `failed-precondition` if the file exists, or can't be written
 */
export async function writeNewKey(path: string, algorithm: KeyAlgorithm): Promise<SigningKey> {
  const pem = newSigningKey(algorithm);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, pem, { mode: 0o600, flag: "wx", flush: true });
  } catch (cause) {
    const why =
      (cause as NodeJS.ErrnoException).code === "EEXIST" ? "already exists" : (cause as Error).message;
    throw failedPrecondition(`${path}: ${why}. No key was created.`, { cause });
  }
  return readSigningKey(pem);
}

/** Reads a key from a file, or from a plug-in by `<signer>:<reference>`. */
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
    throw failedPrecondition(`${named}: ${(cause as Error).message}. Named in ${setting}.`, {
      cause,
    });
  }
}

/**
 * Returns the plug-in's signer in `<signer>:<reference>`; undefined if the text is a file path.
 * @throws RangeError if no plug-in has that signer
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

/** Reads a small text file, for example a key. @throws RangeError if the file is larger than `most` */
export async function readSmall(path: string, most = MAX_SIZE): Promise<string> {
  const { size } = await stat(path);
  if (size > most) throw new RangeError(`has ${size} bytes, which is too large`);
  return readFile(path, "utf8");
}

/** Reports a failing signer as temporarily unavailable, because the content to be signed is not the cause. */
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
  const madeAt = (name: string) => KEPT_NAME.exec(name)?.[1] ?? "";
  return names
    .filter((name) => KEPT_NAME.test(name))
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
    for (const [algorithm, name] of Object.entries(KEPT))
      if (!there.includes(name))
        await makeOnce(join(directory, name), newSigningKey(algorithm as KeyAlgorithm));
  } catch (cause) {
    throw failedPrecondition(
      `${directory} can't be written to (${(cause as Error).message}): run as its owner, or set DATA_DIR ` +
        "to another one.",
      { cause },
    );
  }
}
