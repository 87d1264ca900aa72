import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { Problem } from "#foundation/errors.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import type { StoredSettings } from "#infrastructure/stored-settings/stored-settings.js";

const KIND = "generated_secret";

/** Name of the secret within its stored setting. */
const VALUE = "value";

/** Secrets of one purpose. */
export interface PurposeSecrets {
  /** The secrets of the setting, then the generated one. The first signs and encrypts. */
  readonly secrets: readonly string[];
  /** Whether there is a generated secret that no line of `SETTINGS_SECRET` can decrypt. */
  readonly isUnreadable: boolean;
}

/**
 * Returns the secrets of a purpose. If its setting is empty, generates a secret once and stores it, encrypted with
 * `SETTINGS_SECRET`. A generated secret remains valid if the setting is set later, so that nothing is lost that was
 * derived from it or encrypted with it. It also outlives the replacement of `SETTINGS_SECRET`.
 * @param fixed the secrets of the setting
 */
export async function withGeneratedSecret(
  knex: Knex,
  stored: StoredSettings,
  purpose: "LTI" | "webhooks",
  fixed: readonly string[],
  log: Logger,
): Promise<PurposeSecrets> {
  const found = await stored.find(knex, KIND, purpose);
  const isNeeded = fixed.length === 0 && stored.canStoreSecrets;
  const setting = found ?? (isNeeded ? await generate(knex, stored, purpose) : undefined);
  if (!setting) return { secrets: fixed, isUnreadable: false };
  try {
    const generated = stored.reveal(setting)[VALUE] as string;
    return { secrets: [...fixed, generated], isUnreadable: false };
  } catch (err) {
    if (!(err instanceof Problem)) throw err;
    // Without SETTINGS_SECRET, as in most commands, the process needs no stored secret.
    if (stored.canStoreSecrets) log.warn({ purpose }, "generated secret can't be decrypted");
    return { secrets: fixed, isUnreadable: true };
  }
}

async function generate(
  knex: Knex,
  stored: StoredSettings,
  purpose: string,
): Promise<StoredSetting | undefined> {
  const secrets = { [VALUE]: randomBytes(32).toString("hex") };
  try {
    return await stored.create(knex, { kind: KIND, name: purpose, options: {}, secrets });
  } catch (error) {
    // Another process has generated it at the same time.
    if (error instanceof Problem && error.kind === "already-exists") return stored.find(knex, KIND, purpose);
    throw error;
  }
}
