import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { failedPrecondition } from "#foundation/errors.js";
import { createFileOnce } from "#infrastructure/files/create-file-once.js";
import type { Config } from "./config.js";

/** Secrets from the settings or the data directory. */
export interface Secrets {
  /**
   * The first secret signs; all verify. Empty if only a JWKS is trusted. Also empty in commands, which don't verify
   * tokens.
   */
  readonly authJwtSecrets: readonly string[];
  /** The first secret signs; all verify. */
  readonly urlSigningSecrets: readonly [string, ...string[]];
  /**
   * Secrets from which the secrets of webhook endpoints are derived. The first is the current one. If empty, there are
   * no webhooks. `withGeneratedSecret` adds the generated secret.
   */
  readonly webhookSecrets: readonly string[];
  /** The first secret encrypts stored secrets; all decrypt. If empty, no secret can be stored. */
  readonly settingsSecrets: readonly string[];
}

const STORED_SECRET = /^[0-9a-f]{64}$/;

/** What to do if a secret is missing. Only `serve` creates it. */
type Missing = "make" | "refuse";

/**
 * Returns the secrets that sign links to files. With the embedded database, the secret may be in the data directory,
 * where only the owner can read it. With another database, `readConfig` requires the setting.
 * @throws Problem `failed-precondition` if the secret is missing or can't be stored
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
 * Returns the secrets that sign tokens, from the same places as `readUrlSigningSecrets`. Returns none if only a JWKS is
 * trusted.
 * @throws Problem `failed-precondition` if the secret is missing or can't be stored
 */
export async function readTokenSecrets(
  { dataDir, auth }: Config,
  missing: Missing,
): Promise<Secrets["authJwtSecrets"]> {
  const trustsNobody = auth.secrets.length === 0 && !(auth.jwks ?? auth.jwksFile ?? auth.jwksUrl);
  return trustsNobody
    ? [await localSecret(dataDir, "auth-jwt-secret", "AUTH_JWT_SECRET", missing)]
    : auth.secrets;
}

/**
 * Returns the secrets from which the secrets of webhook endpoints are derived. Returns none if the setting is empty.
 * @throws Problem `failed-precondition` if the secret is missing or can't be stored
 */
export function readWebhookSecrets(config: Config, missing: Missing): Promise<Secrets["webhookSecrets"]> {
  return optionalSecrets(config, config.webhookSecrets, "webhook-secret", "WEBHOOK_SECRET", missing);
}

/**
 * Returns the secrets that encrypt stored settings. Returns none if no secret can be stored.
 * @throws Problem `failed-precondition` if the secret is missing or can't be stored
 */
export function readSettingsSecrets(config: Config, missing: Missing): Promise<Secrets["settingsSecrets"]> {
  return optionalSecrets(config, config.settingsSecrets, "settings-secret", "SETTINGS_SECRET", missing);
}

/**
 * Returns the secrets of a setting. If the setting is empty and the database is embedded, returns the secret in the
 * data directory, if any.
 */
async function optionalSecrets(
  { dataDir, databaseUrl }: Config,
  secrets: readonly string[],
  name: string,
  setting: string,
  missing: Missing,
): Promise<readonly string[]> {
  if (secrets.length > 0 || databaseUrl !== undefined) return secrets;
  // The data directory of an earlier version gets the secret when the service next starts.
  if (missing === "refuse" && !existsSync(join(dataDir, name))) return [];
  return [await localSecret(dataDir, name, setting, missing)];
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
      throw failedPrecondition(
        cause.code === "ENOENT" ? noSecret(dataDir, name, setting) : unusable(path, cause),
        { cause },
      );
    },
  );
  if (STORED_SECRET.test(secret)) return secret;
  throw failedPrecondition(`${path} is damaged: remove it, and \`serve\` creates a new secret.`);
}

function noSecret(dataDir: string, name: string, setting: string): string {
  return `There is no secret ${name} in ${resolve(dataDir)}: set DATA_DIR to the service's directory, or ${setting} to the value that the service uses. Only \`serve\` creates secrets, when it first runs on a directory.`;
}

function unusable(path: string, { message }: Error): string {
  return (
    `${path} can't be read or created (${message}): run as the owner of the directory, ` +
    "or set DATA_DIR to another one."
  );
}

async function readOrMake(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return readFile(path, "utf8").catch(async (error) => {
    if (error.code !== "ENOENT") throw error;
    await createFileOnce(path, randomBytes(32).toString("hex"));
    return readFile(path, "utf8");
  });
}
