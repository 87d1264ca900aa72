import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { failedPrecondition } from "#foundation/errors.js";
import { makeOnce } from "#infrastructure/files/make-once.js";
import type { Config } from "./config.js";

/** The secrets from the settings or the data directory. */
export interface Secrets {
  /**
   * Empty if only a JWKS is trusted, and in commands, which verify no tokens. The first signs, all verify.
   */
  readonly authJwtSecrets: readonly string[];
  /** The first signs, all of them verify. */
  readonly urlSigningSecrets: readonly [string, ...string[]];
  /** Secrets of webhook endpoints are derived from them; the first is the current one. Empty: there are no webhooks. */
  readonly webhookSecrets: readonly string[];
}

const KEPT = /^[0-9a-f]{64}$/;

/** What happens if a secret is missing: `serve` creates it; nothing else does. */
type Missing = "make" | "refuse";

/**
 * Returns the secrets that sign links to files. If the settings have none, it is in the data directory,
 * readable by its owner only. That happens only on the embedded database: with a given one, `readConfig`
 * requires it.
 * @throws Problem `failed-precondition` if it can't be stored there, or is missing
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
 * Returns the secrets that sign tokens in the same way; none if only a JWKS is trusted.
 * @throws Problem `failed-precondition` as above
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
 * Returns the secrets from which those of webhook endpoints are derived. If the settings have none, the data
 * directory of the embedded database has one. With a given database, there are none: webhooks are optional.
 * @throws Problem `failed-precondition` as above
 */
export async function readWebhookSecrets(
  { dataDir, databaseUrl, webhookSecrets }: Config,
  missing: Missing,
): Promise<Secrets["webhookSecrets"]> {
  if (webhookSecrets.length > 0 || databaseUrl !== undefined) return webhookSecrets;
  const name = "webhook-secret";
  // A directory that an earlier version has made gets it with the next start of the service.
  if (missing === "refuse" && !existsSync(join(dataDir, name))) return [];
  return [await localSecret(dataDir, name, "WEBHOOK_SECRET", missing)];
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
  if (KEPT.test(secret)) return secret;
  throw failedPrecondition(`${path} is damaged: remove it, and \`serve\` makes a new secret.`);
}

function noSecret(dataDir: string, name: string, setting: string): string {
  return (
    `There is no secret ${name} in ${resolve(dataDir)}: set DATA_DIR to that of the service, or ${setting} as the ` +
    "service has it. Only `serve` creates secrets, when it first runs on a directory."
  );
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
    await makeOnce(path, randomBytes(32).toString("hex"));
    return readFile(path, "utf8");
  });
}
