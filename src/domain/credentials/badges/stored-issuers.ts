import type { Logger } from "pino";
import { z } from "zod";
import type { SigningKey } from "#formats/badges/public-key.js";
import { newSigningKey, readSigningKey } from "#formats/badges/signing-key.js";
import { failedPrecondition, Problem, quoted, wrongField } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { type Database, inTransaction, NEVER_ABORTS } from "#infrastructure/db/database.js";
import { hasRows, type Knex } from "#infrastructure/db/query.js";
import type { SettingChange, StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import { type StoredSettings, settingChanged } from "#infrastructure/stored-settings/stored-settings.js";
import { type IssuerProfile, issuerProfile } from "../../keys/issuer-profile.js";
import type { KeySettings } from "../../keys/key-settings.js";
import type { OrganisationIssuer, OrganisationIssuers } from "../../keys/organisation-issuers.js";
import { type SigningKeys, settingOf } from "../../keys/signing-keys.js";
import { withinRanges } from "../../learners/organisations.js";
import { signsNothing } from "./issuer.js";
import { publishKeys } from "./issuer-key-store.js";

const KIND = "issuer";

/** Name of the stored setting with the service's own profile and keys. No organisation can have this name. */
const SERVICE = "*";

/** Time before a new key signs. By then, cached copies of the DID document that lack the key have expired. */
const NEW_KEY_WAIT_MS = 5 * 60_000;

/** Advice if no further issuer can be stored. Removing an issuer doesn't help, because its keys still take up space. */
const FULL_REMEDY = "set up further organisations in ISSUERS_FILE, because the keys of removed ones are kept";

/** Two keys at first, and two for each of nine replacements. A stored setting can't have more secrets. */
const MAX_KEYS = 20;

const profile = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(MAX_NAME, `must have at most ${MAX_NAME} characters`),
  ...issuerProfile.shape,
});
const serviceProfile = profile.partial({ name: true });

/** The issuers whose badges this process can sign. */
interface Issuers {
  readonly issuers: OrganisationIssuers;
  /** Name and profile of the service itself. */
  readonly platformName: string;
  readonly issuerProfile: IssuerProfile;
}

/** Settings from the environment, which administrators can't change. */
type EnvironmentSettings = Issuers &
  Pick<KeySettings, "databaseUrl" | "signsBadges" | "signingKeyFiles"> & {
    readonly shownSettings: ReadonlyMap<string, unknown>;
  };

interface IssuerEntries extends Required<{ [K in keyof IssuerProfile]: string }> {
  /** Empty for the service itself. */
  readonly organisation: string;
  readonly name: string;
  readonly replacesKeys: boolean;
  /** Etag of the issuer to replace; empty for a new issuer. */
  readonly etag: string;
}

export interface StoredIssuer {
  /** Empty for the service itself. */
  readonly organisation: string;
  readonly name: string;
  readonly profile: IssuerProfile;
  /** Whether only keys are stored, because the issuer was deleted, or is the service itself without a saved profile. */
  readonly isStopped: boolean;
  readonly keyCount: number;
  /** Why the issuer's keys can't be used. */
  readonly problem: string | undefined;
  readonly etag: string;
  readonly updatedAt: Date;
}

/** Issuers of Open Badges, saved by administrators. The environment overrides them. */
export interface StoredIssuers {
  /** Why no issuers of organisations can be saved. */
  readonly obstacle: string | undefined;
  readonly inFile: OrganisationIssuers;
  /** The settings of the environment, combined with the issuers that `refresh` read last. */
  readonly current: Issuers;
  list(db: Knex): Promise<readonly StoredIssuer[]>;
  /** Reads the issuers that this and other processes have saved. All later badges use these issuers. */
  refresh(): Promise<void>;
  /** @throws Problem `invalid` naming the field, `already-exists`, `aborted`, `resource-exhausted`, `failed-precondition` */
  save(entries: IssuerEntries, signal: AbortSignal): Promise<SettingChange>;
  /** @throws Problem `not-found`, `aborted` */
  remove(organisation: string, etag: string, signal: AbortSignal): Promise<SettingChange>;
}

interface Deps {
  readonly database: Database;
  readonly storedSettings: StoredSettings;
  readonly log: Logger;
}

/**
 * Returns whether the database contains the service's own keys. This requires that DATABASE_URL is set, but no key
 * files. A service process creates missing keys if it can store secrets, and publishes their public parts.
 */
export async function hasStoredKeys(
  { config, database, storedSettings: stored, log }: Deps & { readonly config: EnvironmentSettings },
  isService: boolean,
): Promise<boolean> {
  if (!keepsKeys(config)) return false;
  const hasKeys = ({ secrets }: StoredSetting) => Object.keys(secrets).length > 0;
  const before = await stored.find(database.knex, KIND, SERVICE);
  if (before && hasKeys(before)) return true;
  if (!isService || !stored.canStoreSecrets) return false;
  const secrets = newKeys();
  try {
    await inTransaction(database, NEVER_ABORTS, async (transaction) => {
      await publishKeys(transaction, Object.values(secrets).map(readSigningKey), undefined);
      if (before) await stored.change(transaction, before, { options: before.options, secrets });
      else
        await stored.create(transaction, {
          kind: KIND,
          name: SERVICE,
          options: { isStopped: true },
          secrets,
        });
    });
    log.info("signing keys were created, and are stored encrypted");
    return true;
  } catch (error) {
    // Another process may have created the keys first.
    const after = await stored.find(database.knex, KIND, SERVICE);
    if (after && hasKeys(after)) return true;
    throw error;
  }
}

/** Returns whether the service's own keys belong in the database, because no key files are set. */
export function keepsKeys({
  databaseUrl,
  signsBadges,
  signingKeyFiles,
}: Pick<EnvironmentSettings, "databaseUrl" | "signsBadges" | "signingKeyFiles">): boolean {
  return signsBadges && signingKeyFiles.length === 0 && databaseUrl !== undefined;
}

/** @throws Problem `invalid` or `failed-precondition` if the service's own keys don't belong in the database */
function checkKeepsKeys(settings: EnvironmentSettings): void {
  if (keepsKeys(settings)) return;
  throw settings.signsBadges
    ? wrongField("replaces_keys", "must be false: the service reads its keys from files.")
    : signsNothing();
}

/** Call `refresh` on the result before anything is issued. */
export function createStoredIssuers({
  database,
  storedSettings: stored,
  signingKeys,
  fixed,
  log,
}: Deps & {
  readonly signingKeys: SigningKeys | undefined;
  readonly fixed: EnvironmentSettings;
}): StoredIssuers {
  const { keysOf, present } = createReader(stored, log);
  let current: Issuers = fixed;

  async function read() {
    const rows = await stored.list(database.knex, KIND);
    const keys = rows.map((row) => [organisationOf(row), inOrder(keysOf(row).keys, Date.now())] as const);
    signingKeys?.setStored(new Map(keys));
    const active = rows.map(present).filter(({ isStopped }) => !isStopped);
    const own = active.find(({ organisation }) => organisation === "");
    const saved = active
      .filter((each) => each !== own)
      .map(({ organisation, name, profile }): [string, OrganisationIssuer] => [
        organisation,
        { name, profile, signingKeyFiles: [], seal: undefined },
      ]);
    current = {
      issuers: new Map([...saved, ...fixed.issuers]),
      platformName: (fixed.shownSettings.has("PLATFORM_NAME") ? "" : own?.name) || fixed.platformName,
      issuerProfile: { ...own?.profile, ...fixed.issuerProfile },
    };
  }

  const refresh = oneAtATime(read);
  signingKeys?.readMissingBy(refresh);

  return {
    get obstacle() {
      if (!signingKeys) return signsNothing().message;
      return stored.canStoreSecrets
        ? undefined
        : "Keys can't be stored, because SETTINGS_SECRET is not set: set it to at least 32 random characters, for all processes of the service, and restart them.";
    },
    inFile: fixed.issuers,
    get current() {
      return current;
    },
    refresh,

    async list(db) {
      const rows = (await stored.list(db, KIND)).map(present);
      const listed: StoredIssuer[] = [];
      for (const row of rows)
        if (!row.isStopped || row.organisation === "" || (await hasCredentials(db, row.organisation)))
          listed.push(row);
      return listed;
    },

    async save(entries, signal) {
      const { organisation } = entries;
      if (fixed.issuers.has(organisation)) throw setInFile(organisation);
      const options = checked(organisation === "" ? withoutEnvironmentSettings(entries, fixed) : entries);
      if (organisation !== "" && !signingKeys) throw signsNothing();
      if (organisation === "" && entries.replacesKeys) checkKeepsKeys(fixed);
      const change = await inTransaction(database, signal, (transaction) =>
        write(transaction, { stored, entries, options, present }),
      );
      await refresh();
      return change;
    },

    async remove(organisation, etag, signal) {
      const change = await inTransaction(database, signal, (transaction) =>
        remove(transaction, { stored, organisation, etag, present }),
      );
      await refresh();
      return change;
    },
  };
}

/**
 * Removes an issuer. An issuer of an organisation, or one with stored keys, is only marked as stopped, and its keys are
 * kept.
 * @throws Problem `not-found`, `aborted`
 */
async function remove(
  transaction: Knex.Transaction,
  {
    stored,
    organisation,
    etag,
    present,
  }: {
    readonly stored: StoredSettings;
    readonly organisation: string;
    readonly etag: string;
    readonly present: (setting: StoredSetting) => StoredIssuer;
  },
) {
  const before = await stored.find(transaction, KIND, nameOf(organisation));
  if (!before || present(before).isStopped)
    throw new Problem(
      "not-found",
      `There is no saved issuer for ${organisation === "" ? "the service" : quoted(organisation)}.`,
    );
  if (etag !== before.etag) throw settingChanged(before);
  if (organisation === "" && present(before).keyCount === 0) {
    await stored.remove(transaction, before);
    return { before, after: undefined };
  }
  const options = { ...(organisation !== "" && before.options), isStopped: true };
  const after = await stored.change(transaction, before, { options, secrets: {} });
  return { before, after };
}

function createReader(stored: StoredSettings, log: Logger) {
  /** Opened keys by organisation. They are used only while the stored setting has the same etag. */
  const opened = new Map<string, { readonly etag: string; readonly keys: OpenedKeys }>();

  function keysOf(setting: StoredSetting): OpenedKeys {
    const cached = opened.get(setting.name);
    if (cached?.etag === setting.etag) return cached.keys;
    const keys = openKeys(setting, stored);
    if (keys.problem !== undefined)
      log.warn(
        { organisation: organisationOf(setting), reason: keys.problem },
        "saved issuer has keys that can't be used",
      );
    opened.set(setting.name, { etag: setting.etag, keys });
    return keys;
  }

  function present(setting: StoredSetting): StoredIssuer {
    const { name = "", isStopped = false, ...profile } = setting.options as Partial<StoredOptions>;
    const { keys, problem } = keysOf(setting);
    return {
      organisation: organisationOf(setting),
      name,
      profile,
      isStopped,
      keyCount: Object.keys(setting.secrets).length,
      problem: keys.length > 0 ? undefined : problem,
      etag: setting.etag,
      updatedAt: setting.updatedAt,
    };
  }
  return { keysOf, present };
}

/**
 * Saves an issuer. Creates keys and publishes their public parts for a new organisation, or if the keys are to be
 * replaced.
 */
async function write(
  transaction: Knex,
  {
    stored,
    entries: { organisation, etag, replacesKeys },
    options,
    present,
  }: {
    readonly stored: StoredSettings;
    readonly entries: IssuerEntries;
    readonly options: ReturnType<typeof checked>;
    readonly present: (setting: StoredSetting) => StoredIssuer;
  },
): Promise<SettingChange> {
  const key = { kind: KIND, name: nameOf(organisation) };
  const before = await stored.find(transaction, key.kind, key.name);
  const isActive = before && !present(before).isStopped;
  if (etag === "" && isActive)
    throw new Problem(
      "already-exists",
      `${organisation === "" ? "The service" : quoted(organisation)} already has a saved issuer: change it instead.`,
    );
  if (etag !== "" && etag !== before?.etag) throw settingChanged(key);
  const pems = replacesKeys || (!before && organisation !== "") ? newKeys() : {};
  const count = Object.keys(pems).length + Object.keys(before?.secrets ?? {}).length;
  if (count > MAX_KEYS)
    throw new Problem(
      "resource-exhausted",
      `The keys of ${organisation || "the service"} were replaced ${MAX_KEYS / 2 - 1} times, which is the maximum. Put a new key into ${settingOf(organisation || undefined)} instead.`,
    );
  const publicKeys = Object.values(pems).map(readSigningKey);
  if (publicKeys.length > 0) await publishKeys(transaction, publicKeys, organisation || undefined);
  const after = before
    ? await stored.change(transaction, before, { options, secrets: pems })
    : await stored.create(transaction, { ...key, options, secrets: pems, remedy: FULL_REMEDY });
  return { before, after };
}

type StoredOptions = IssuerProfile & { readonly name: string; readonly isStopped?: boolean };

interface OpenedKeys {
  readonly keys: readonly (SigningKey & { readonly setAt: number })[];
  /** Why some keys can't be read. */
  readonly problem: string | undefined;
}

/** Unreadable keys stay stored, because the right `SETTINGS_SECRET` may be set again. */
function openKeys(setting: StoredSetting, stored: StoredSettings): OpenedKeys {
  const keys: OpenedKeys["keys"][number][] = [];
  let problem: string | undefined;
  for (const [name, secret] of Object.entries(setting.secrets))
    try {
      const [pem = ""] = Object.values(stored.reveal({ ...setting, secrets: { [name]: secret } }));
      keys.push({ ...readSigningKey(pem), setAt: Date.parse(secret.setAt) });
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof RangeError)) throw error;
      problem = error.message;
    }
  return { keys, problem };
}

/** Sorts keys. First come the keys that verifiers already know, newest first, and then the others, oldest first. */
function inOrder(keys: OpenedKeys["keys"], now: number): readonly SigningKey[] {
  const isKnown = ({ setAt }: { readonly setAt: number }) => now - setAt >= NEW_KEY_WAIT_MS;
  return keys.toSorted(
    (one, other) =>
      Number(isKnown(other)) - Number(isKnown(one)) ||
      (isKnown(one) ? other.setAt - one.setAt : one.setAt - other.setAt),
  );
}

function newKeys(): Record<string, string> {
  const time = new Date().toISOString().replace(/[-:.]/g, "");
  return { [`ed25519-${time}`]: newSigningKey("Ed25519"), [`p-256-${time}`]: newSigningKey("P-256") };
}

/** @throws Problem `invalid` naming the field */
function checked({ organisation, name, url, description, image }: IssuerEntries) {
  const isService = organisation === "";
  const set = Object.entries({ url, description, image, name }).filter(([, value]) => value !== "");
  const values = { ...(!isService && { name }), ...Object.fromEntries(set) };
  const { data, error } = (isService ? serviceProfile : profile).safeParse(values);
  if (data) return data;
  const [issue] = error.issues;
  throw wrongField(String(issue?.path[0] ?? "name"), `${issue?.message}.`);
}

function nameOf(organisation: string): string {
  return organisation === "" ? SERVICE : organisation;
}

function organisationOf({ name }: StoredSetting): string {
  return name === SERVICE ? "" : name;
}

/**
 * @throws Problem `failed-precondition` if the entries contradict settings of the environment for the service itself
 */
function withoutEnvironmentSettings(
  entries: IssuerEntries,
  { shownSettings, platformName: name, issuerProfile }: EnvironmentSettings,
): IssuerEntries {
  const rest = { ...entries };
  for (const [field, value] of Object.entries({ name, ...issuerProfile }) as ["name", string][]) {
    const variable = field === "name" ? "PLATFORM_NAME" : `ISSUER_${String(field).toUpperCase()}`;
    if (rest[field] !== "" && rest[field] !== value && shownSettings.has(variable))
      throw failedPrecondition(
        `${variable} sets ${field} to ${quoted(value)}: change it in the environment, and restart the service.`,
      );
    if (rest[field] === value || shownSettings.has(variable)) rest[field] = "";
  }
  return rest;
}

function setInFile(organisation: string): Problem {
  return failedPrecondition(
    `ISSUERS_FILE sets the issuer of ${quoted(organisation)}: change it in that file, and restart the service.`,
  );
}

/** Returns whether credentials were issued in the organisation's courses and paths. */
function hasCredentials(db: Knex, organisation: string): Promise<boolean> {
  const { sql, bindings } = withinRanges("learning_context_key", [organisation]);
  return hasRows(db, `select from credentials where ${sql} limit 1`, bindings);
}

/**
 * Runs the work, but never twice at once. A call during a run waits for the next run, because the current run may have
 * read old values.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return running ?? run();
      });
    return next;
  };
}
