import { changedMeanwhile, failedPrecondition, invalidField, Problem } from "#foundation/errors.js";
import type { Knex } from "../db/query.js";
import { createSealedBox, type SealedBox, type UnsealedContent } from "./sealed-box.js";
import type { NewSetting, SealedSecret, StoredSetting } from "./stored-setting.js";
import {
  countSettings,
  deleteSetting,
  findSetting,
  insertSetting,
  listSettings,
  listWithSecrets,
  replaceSealed,
  updateSetting,
} from "./stored-setting-store.js";

const MAX_SETTINGS = 100;
const MAX_OPTIONS_LENGTH = 64 * 1024;
const MAX_SECRETS = 20;
const MAX_SECRET_LENGTH = 16 * 1024;

/** Settings that administrators save while the service runs. Each process reads them when needed. */
export interface StoredSettings {
  /** Whether `SETTINGS_SECRET` is set, without which no secret can be stored. */
  readonly canStoreSecrets: boolean;
  list(db: Knex, kind: string): Promise<StoredSetting[]>;
  find(db: Knex, kind: string, name: string): Promise<StoredSetting | undefined>;
  /**
   * Returns the secrets in plain text. They must not appear in the API, the log or the audit trail.
   * @throws Problem `failed-precondition` if the service lacks the secret with which they were encrypted
   */
  reveal(setting: StoredSetting): Readonly<Record<string, string>>;
  /**
   * @throws Problem `already-exists`, `resource-exhausted`, `invalid`, and `failed-precondition` without
   *   `SETTINGS_SECRET`
   */
  create(db: Knex, setting: NewSetting): Promise<StoredSetting>;
  /**
   * Replaces the options of a setting, and the named secrets; `null` removes a secret, and secrets that aren't named
   * are kept.
   * @param before the setting as it was read
   * @throws Problem `aborted` if the setting has changed since, `invalid`, and `failed-precondition` without
   *   `SETTINGS_SECRET`
   */
  change(
    db: Knex,
    before: StoredSetting,
    changes: {
      readonly options: StoredSetting["options"];
      readonly secrets: Readonly<Record<string, string | null>>;
    },
  ): Promise<StoredSetting>;
  /** @throws Problem `aborted` if the setting has changed since it was read */
  remove(db: Knex, setting: StoredSetting): Promise<void>;
  /**
   * Encrypts secrets again if they were encrypted with a line of `SETTINGS_SECRET` other than the first. Returns the
   * number of changed settings.
   */
  renewSecrets(db: Knex): Promise<number>;
}

/** @param serviceSecrets the first encrypts; all of them decrypt */
export function createStoredSettings(serviceSecrets: readonly string[]): StoredSettings {
  const box = createSealedBox(serviceSecrets, "learning-credentials stored settings v1");

  function seal(kind: string, name: string, secrets: Readonly<Record<string, string>>) {
    const entries = Object.entries(secrets);
    if (entries.length > 0 && !box.canSeal) throw noSecret();
    const setAt = new Date().toISOString();
    return Object.fromEntries(
      entries.map(([secret, value]): [string, SealedSecret] => {
        checkSecret(secret, value);
        const sealed = box.seal(placeOf(kind, name, secret), Buffer.from(value)).toString("base64");
        return [secret, { sealed, setAt }];
      }),
    );
  }

  function unseal({ kind, name, secrets }: StoredSetting, secret: string): UnsealedContent {
    const sealed = Buffer.from(secrets[secret]?.sealed ?? "", "base64");
    const unsealed = box.unseal(placeOf(kind, name, secret), sealed);
    if (unsealed) return unsealed;
    throw box.canSeal
      ? failedPrecondition(
          `The secret ${secret} of the ${kind} ${name} was encrypted with a different SETTINGS_SECRET: add the earlier value to SETTINGS_SECRET as another line, or enter ${secret} again.`,
        )
      : noSecret();
  }

  return {
    canStoreSecrets: box.canSeal,
    list: listSettings,
    find: findSetting,
    reveal: (setting) =>
      Object.fromEntries(
        Object.keys(setting.secrets).map((secret) => [secret, unseal(setting, secret).content.toString()]),
      ),
    async create(db, { kind, name, options, secrets, remedy = "delete one first" }) {
      checkSize(options, secrets);
      if ((await countSettings(db, kind)) >= MAX_SETTINGS)
        throw new Problem(
          "resource-exhausted",
          `There are already ${MAX_SETTINGS} saved ${kind}s: ${remedy}.`,
        );
      const created = await insertSetting(db, { kind, name, options, secrets: seal(kind, name, secrets) });
      if (created) return created;
      throw new Problem(
        "already-exists",
        `The ${kind} ${name} already exists: choose another name, or change that one.`,
      );
    },
    async change(db, before, { options, secrets }) {
      const { kind, name } = before;
      const entries = Object.entries(secrets);
      const entered = Object.fromEntries(
        entries.flatMap(([secret, value]) => (value === null ? [] : [[secret, value]])),
      );
      const stay = Object.entries(before.secrets).filter(([secret]) => secrets[secret] === undefined);
      const changed = { ...Object.fromEntries(stay), ...seal(kind, name, entered) };
      checkSize(options, changed);
      const after = await updateSetting(db, before, { options, secrets: changed });
      if (after) return after;
      throw settingChanged(before);
    },
    async remove(db, setting) {
      if (!(await deleteSetting(db, setting))) throw settingChanged(setting);
    },
    async renewSecrets(db) {
      if (!box.canSeal) return 0;
      let renewed = 0;
      for (const setting of await listWithSecrets(db)) {
        const resealed = resealedSecrets(setting, box);
        if (resealed && (await replaceSealed(db, setting, resealed))) renewed++;
      }
      return renewed;
    },
  };
}

/**
 * Encrypts secrets again if they were encrypted with an earlier key.
 * @returns all secrets of the setting; undefined if none had to be encrypted again
 */
function resealedSecrets(
  { kind, name, secrets }: StoredSetting,
  box: SealedBox,
): Record<string, SealedSecret> | undefined {
  let isRenewed = false;
  const entries = Object.entries(secrets).map(([secret, stored]): [string, SealedSecret] => {
    const place = placeOf(kind, name, secret);
    const unsealed = box.unseal(place, Buffer.from(stored.sealed, "base64"));
    if (!unsealed || unsealed.isCurrent) return [secret, stored];
    isRenewed = true;
    return [secret, { ...stored, sealed: box.seal(place, unsealed.content).toString("base64") }];
  });
  return isRenewed ? Object.fromEntries(entries) : undefined;
}

/** Returns the place of a secret. A secret that is copied to another setting or name can't be decrypted there. */
function placeOf(kind: string, name: string, secret: string): string {
  return JSON.stringify([kind, name, secret]);
}

function checkSize(options: object, secrets: object): void {
  if (JSON.stringify(options).length > MAX_OPTIONS_LENGTH)
    throw invalidField("options", `options have more than ${MAX_OPTIONS_LENGTH} characters of JSON.`);
  if (Object.keys(secrets).length > MAX_SECRETS)
    throw invalidField("secrets", `secrets has more than ${MAX_SECRETS} entries.`);
}

function checkSecret(name: string, value: string): void {
  if (value === "" || value.length > MAX_SECRET_LENGTH || value.includes("\0"))
    throw invalidField(
      `secrets.${name}`,
      `secrets.${name} must have 1 to ${MAX_SECRET_LENGTH} characters, without null characters.`,
    );
}

function noSecret(): Problem {
  return failedPrecondition(
    "Secrets can't be stored or read, because SETTINGS_SECRET is not set: set it to at least 32 random characters, for all processes of the service, and restart them.",
  );
}

export function settingChanged({ kind, name }: Pick<StoredSetting, "kind" | "name">): Problem {
  return changedMeanwhile(`The ${kind} ${name}`);
}
