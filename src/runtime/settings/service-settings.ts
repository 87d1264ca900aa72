import type { Logger } from "pino";
import { failedPrecondition, Problem, quoted } from "#foundation/errors.js";
import type { Knex } from "#infrastructure/db/query.js";
import {
  enteredSecrets,
  refuseOtherAddresses,
  retainedSecrets,
  type SecretEntries,
  secretChanges,
} from "#infrastructure/stored-settings/secret-changes.js";
import type { SettingChange, StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import { type StoredSettings, settingChanged } from "#infrastructure/stored-settings/stored-settings.js";
import {
  addressesOf,
  type CheckRequest,
  type ServiceSettingType,
  type SettingCheck,
} from "./service-setting.js";

/** The kind under which these settings are stored. */
const KIND = "setting";

/** How long a setting is cached. Changes by other processes apply after this time. */
const CACHE_MS = 2000;

/** Resolves with undefined if the setting isn't set or can't be used. */
export type CurrentSetting<T> = () => Promise<T | undefined>;

/** A setting as administrators see it. */
export interface ListedSetting {
  readonly type: ServiceSettingType<unknown>;
  /** undefined if the setting isn't saved. */
  readonly stored: StoredSetting | undefined;
  /** Why the saved setting can't be used; undefined if it can. */
  readonly problem: string | undefined;
}

interface SettingEntries {
  readonly options: Readonly<Record<string, unknown>>;
  /** Secrets by name. An empty text removes a secret. Secrets that aren't named are kept. */
  readonly secrets: SecretEntries;
}

/** Settings of the service that administrators save while it runs. The environment overrides them. */
export interface ServiceSettings {
  list(): Promise<readonly ListedSetting[]>;
  /**
   * @param etag of the version that the caller has read; if empty, any version is replaced
   * @throws Problem `not-found`, `invalid` that names the option, `aborted`, `failed-precondition`
   */
  save(name: string, etag: string, entries: SettingEntries): Promise<SettingChange>;
  /**
   * Removes the saved setting, if there is one.
   * @throws Problem `not-found`, `aborted`
   */
  remove(name: string, etag: string): Promise<SettingChange>;
  /**
   * @param entries what to check; undefined to check the current value
   * @throws Problem `not-found`, `invalid` that names the option, `failed-precondition`
   */
  check(
    name: string,
    entries: SettingEntries | undefined,
    request: CheckRequest,
  ): Promise<readonly SettingCheck[]>;
  current<T>(type: ServiceSettingType<T>): CurrentSetting<T>;
  /**
   * Returns a function that reads the current value. The function rejects while the saved setting can't be used, and
   * never falls back to another value.
   */
  required<T>(type: ServiceSettingType<T> & { readonly fromEnvironment: T }): () => Promise<T>;
}

export function createServiceSettings(
  knex: Knex,
  stored: StoredSettings,
  types: readonly ServiceSettingType<unknown>[],
  log: Logger,
): ServiceSettings {
  /** Number of changes that this process has made. A new change invalidates the cached values. */
  let changes = 0;

  const find = (name: string) => stored.find(knex, KIND, name);
  const read = <T>(type: ServiceSettingType<T>, setting: StoredSetting): T =>
    type.read(setting.options, stored.reveal(setting));

  const currentOf = <T>(type: ServiceSettingType<T>) =>
    createCurrent(type, {
      find,
      read: (setting) => read(type, setting),
      changes: () => changes,
      log,
    });

  return {
    async list() {
      const rows = await stored.list(knex, KIND);
      return types.map((type) => {
        const setting = rows.find(({ name }) => name === type.name);
        return { type, stored: setting, problem: setting && problemOf(() => read(type, setting)) };
      });
    },

    async save(name, etag, entries) {
      const type = typeNamed(name, types);
      refuseEnvironment(type);
      const change = await saveSetting(knex, stored, type, etag, entries);
      changes++;
      return change;
    },

    async remove(name, etag) {
      typeNamed(name, types);
      const before = await find(name);
      if (!before) return { before, after: undefined };
      if (etag !== "" && etag !== before.etag) throw settingChanged(before);
      await stored.remove(knex, before);
      changes++;
      return { before, after: undefined };
    },

    async check(name, entries, request) {
      const type = typeNamed(name, types);
      const before = await find(name);
      if (entries) {
        const secrets = secretsFor(type, before, entries, stored.reveal);
        return type.check(type.read(entries.options, secrets), request);
      }
      const isSaved = before && type.variables.length === 0;
      const value = isSaved ? read(type, before) : type.fromEnvironment;
      if (value === undefined) throw failedPrecondition(`The setting ${name} is not saved: save it first.`);
      return type.check(value, request);
    },

    current(type) {
      const current = currentOf(type);
      return async () => (await current()).value;
    },

    required(type) {
      const current = currentOf(type);
      return async () => {
        const { value = type.fromEnvironment, problem } = await current();
        if (problem) throw problem;
        return value;
      };
    },
  };
}

/** @throws Problem `not-found` */
function typeNamed(name: string, types: readonly ServiceSettingType<unknown>[]): ServiceSettingType<unknown> {
  const type = types.find((each) => each.name === name);
  if (type) return type;
  const typeNames = types.map((each) => each.name).join(", ");
  throw new Problem("not-found", `There is no setting ${quoted(name)}: it must be one of ${typeNames}.`);
}

/** @throws Problem `failed-precondition` if the setting is set in the environment */
function refuseEnvironment({ name, variables }: ServiceSettingType<unknown>): void {
  if (variables.length === 0) return;
  throw failedPrecondition(
    `The setting ${name} is set in the environment (${variables.join(", ")}): change it there, or unset these variables and restart the service.`,
  );
}

async function saveSetting(
  knex: Knex,
  stored: StoredSettings,
  type: ServiceSettingType<unknown>,
  etag: string,
  entries: SettingEntries,
): Promise<SettingChange> {
  const before = await stored.find(knex, KIND, type.name);
  if (etag !== "" && etag !== before?.etag) throw settingChanged({ kind: KIND, name: type.name });
  // Only checks that kept secrets exist, so they aren't decrypted.
  type.read(
    entries.options,
    secretsFor(type, before, entries, () => ({})),
  );
  const { options, secrets } = entries;
  const after = before
    ? await stored.change(knex, before, { options, secrets: secretChanges(secrets) })
    : await stored.create(knex, { kind: KIND, name: type.name, options, secrets: enteredSecrets(secrets) });
  return { before, after };
}

/** @throws Problem `invalid` if a stored secret would be sent to a changed address */
function secretsFor(
  type: ServiceSettingType<unknown>,
  before: StoredSetting | undefined,
  { options, secrets }: SettingEntries,
  reveal: (setting: StoredSetting) => SecretEntries,
): SecretEntries {
  const retained = before ? retainedSecrets(before.secrets, secrets) : [];
  if (before && retained.length > 0)
    refuseOtherAddresses(addressesOf(type, before.options), addressesOf(type, options), retained);
  const values = before && retained.length > 0 ? reveal(before) : {};
  return {
    ...Object.fromEntries(retained.map((name) => [name, values[name] ?? "kept"])),
    ...enteredSecrets(secrets),
  };
}

/** A cached setting. */
interface Known<T> {
  readonly etag: string | undefined;
  /** undefined if the setting isn't set or can't be used. */
  readonly value: T | undefined;
  /** Why the setting can't be used; undefined if it can. */
  readonly problem: Problem | undefined;
  readonly changes: number;
  readonly until: number;
}

/**
 * Returns the function that reads a setting. If the database can't be read, that function returns the last known value.
 */
function createCurrent<T>(
  type: ServiceSettingType<T>,
  {
    find,
    read,
    changes,
    log,
  }: {
    readonly find: (name: string) => Promise<StoredSetting | undefined>;
    readonly read: (setting: StoredSetting) => T;
    /** Returns how many changes this process has made. */
    readonly changes: () => number;
    readonly log: Logger;
  },
): () => Promise<Pick<Known<T>, "value" | "problem">> {
  let inUse: Known<T> | undefined;

  function use(setting: StoredSetting | undefined): Pick<Known<T>, "value" | "problem"> {
    if (!setting) return { value: type.fromEnvironment, problem: undefined };
    try {
      return { value: read(setting), problem: undefined };
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      log.warn({ err, setting: type.name }, "saved setting can't be used");
      return { value: undefined, problem: err };
    }
  }

  return async () => {
    if (type.variables.length > 0) return { value: type.fromEnvironment, problem: undefined };
    if (inUse && inUse.changes === changes() && Date.now() < inUse.until) return inUse;
    const seen = changes();
    let setting: StoredSetting | undefined;
    try {
      setting = await find(type.name);
    } catch (error) {
      if (inUse) return inUse;
      throw error;
    }
    const isSame = inUse !== undefined && inUse.etag === setting?.etag;
    inUse = {
      ...(inUse && isSame ? inUse : use(setting)),
      etag: setting?.etag,
      changes: seen,
      until: Date.now() + CACHE_MS,
    };
    return inUse;
  };
}

function problemOf(use: () => unknown): string | undefined {
  try {
    use();
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.message;
  }
}
