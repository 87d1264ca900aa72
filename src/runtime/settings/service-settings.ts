import type { Knex } from "knex";
import type { Logger } from "pino";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";
import {
  enteredSecrets,
  keptSecrets,
  refuseOtherAddresses,
  type SecretEntries,
  secretChanges,
} from "#infrastructure/stored-settings/secret-changes.js";
import type { StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import { changedMeanwhile, type StoredSettings } from "#infrastructure/stored-settings/stored-settings.js";
import type { ServiceSettingType, SettingCheck } from "./service-setting.js";

/** The kind of these settings among the stored ones. */
const KIND = "setting";

/** Other processes read a saved setting again after this time. */
const FRESH_MS = 2000;

/** Returns the current value of a setting. undefined: it isn't set, or can't be used */
export type CurrentSetting<T> = () => Promise<T | undefined>;

/** A setting as administrators see it. */
export interface ListedSetting {
  readonly type: ServiceSettingType<unknown>;
  /** undefined: it isn't saved */
  readonly stored: StoredSetting | undefined;
  /** Why the saved setting can't be used. */
  readonly problem: string | undefined;
}

/** What an administrator saves. */
export interface SettingEntries {
  readonly options: Readonly<Record<string, unknown>>;
  /** Those not named stay, and an empty one is removed. */
  readonly secrets: SecretEntries;
}

interface Change {
  readonly before: StoredSetting | undefined;
  readonly after: StoredSetting | undefined;
}

/** Settings of the service that administrators save while it runs. The environment overrides them. */
export interface ServiceSettings {
  list(): Promise<readonly ListedSetting[]>;
  /**
   * @param etag that of the setting as it was read; empty to replace any
   * @throws Problem `not-found`, `invalid` naming the option, `aborted`, `failed-precondition`
   */
  save(name: string, etag: string, entries: SettingEntries): Promise<Change>;
  /**
   * Removes what was saved, if anything was.
   * @throws Problem `not-found`, `aborted`
   */
  remove(name: string, etag: string): Promise<Change>;
  /**
   * @param entries what to check. undefined: the setting as it is used
   * @throws Problem `not-found`, `invalid` naming the option, `failed-precondition`
   */
  check(name: string, entries: SettingEntries | undefined): Promise<readonly SettingCheck[]>;
  /** Returns a function that reads the current value. */
  current<T>(type: ServiceSettingType<T>): CurrentSetting<T>;
}

/** Creates the settings of the service. */
export function createServiceSettings(
  knex: Knex,
  stored: StoredSettings,
  types: readonly ServiceSettingType<unknown>[],
  log: Logger,
): ServiceSettings {
  /** Increases with each change that this process makes, so that it applies at once. */
  let changes = 0;

  function typeOf(name: string): ServiceSettingType<unknown> {
    const type = types.find((each) => each.name === name);
    if (type) return type;
    const known = types.map((each) => each.name).join(", ");
    throw new Problem("not-found", `There is no setting ${quoted(name)}: it must be one of ${known}.`);
  }

  const find = (name: string) => stored.find(knex, KIND, name);
  const read = <T>(type: ServiceSettingType<T>, setting: StoredSetting): T =>
    type.read(setting.options, stored.reveal(setting));

  /** @throws Problem `invalid` if a stored secret would be sent to another address */
  function secretsFor(
    type: ServiceSettingType<unknown>,
    before: StoredSetting | undefined,
    { options, secrets }: SettingEntries,
    reveal: (setting: StoredSetting) => SecretEntries,
  ): SecretEntries {
    const kept = before ? keptSecrets(before.secrets, secrets) : [];
    if (before && kept.length > 0)
      refuseOtherAddresses(type.addressesOf(before.options), type.addressesOf(options), kept);
    const values = before && kept.length > 0 ? reveal(before) : {};
    return {
      ...Object.fromEntries(kept.map((name) => [name, values[name] ?? "kept"])),
      ...enteredSecrets(secrets),
    };
  }

  return {
    async list() {
      const rows = await stored.list(knex, KIND);
      return types.map((type) => {
        const setting = rows.find(({ name }) => name === type.name);
        return { type, stored: setting, problem: setting && problemOf(() => read(type, setting)) };
      });
    },

    async save(name, etag, entries) {
      const type = typeOf(name);
      if (type.variables.length > 0)
        throw failedPrecondition(
          `The setting ${name} is set in the environment (${type.variables.join(", ")}): change it there, or unset these variables and restart the service.`,
        );
      const before = await find(name);
      if (etag !== "" && etag !== before?.etag) throw changedMeanwhile({ kind: KIND, name });
      // Only whether kept secrets are there is checked, so they needn't be decrypted.
      type.read(
        entries.options,
        secretsFor(type, before, entries, () => ({})),
      );
      const { options, secrets } = entries;
      const after = before
        ? await stored.change(knex, before, { options, secrets: secretChanges(secrets) })
        : await stored.create(knex, { kind: KIND, name, options, secrets: enteredSecrets(secrets) });
      changes++;
      return { before, after };
    },

    async remove(name, etag) {
      typeOf(name);
      const before = await find(name);
      if (!before) return { before, after: undefined };
      if (etag !== "" && etag !== before.etag) throw changedMeanwhile(before);
      await stored.remove(knex, before);
      changes++;
      return { before, after: undefined };
    },

    async check(name, entries) {
      const type = typeOf(name);
      const before = await find(name);
      if (entries) {
        const secrets = secretsFor(type, before, entries, stored.reveal);
        return type.check(type.read(entries.options, secrets));
      }
      const value = type.given ?? (before && read(type, before));
      if (value === undefined) throw failedPrecondition(`The setting ${name} is not saved: save it first.`);
      return type.check(value);
    },

    current: (type) =>
      createCurrent(type, {
        find,
        read: (setting) => read(type, setting),
        changes: () => changes,
        log,
      }),
  };
}

/** The last value is used as long as the database can't be read. */
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
    /** How many changes this process has made. */
    readonly changes: () => number;
    readonly log: Logger;
  },
): CurrentSetting<T> {
  let known: { etag: string | undefined; value: T | undefined; changes: number; until: number } | undefined;
  return async () => {
    if (type.given !== undefined) return type.given;
    if (known && known.changes === changes() && Date.now() < known.until) return known.value;
    const seen = changes();
    let setting: StoredSetting | undefined;
    try {
      setting = await find(type.name);
    } catch (error) {
      if (known) return known.value;
      throw error;
    }
    const isSame = known !== undefined && known.etag === setting?.etag;
    let value = isSame ? known?.value : undefined;
    if (setting && !isSame) {
      try {
        value = read(setting);
      } catch (err) {
        log.warn({ err, setting: type.name }, "saved setting can't be used");
      }
    }
    known = { etag: setting?.etag, value, changes: seen, until: Date.now() + FRESH_MS };
    return value;
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
