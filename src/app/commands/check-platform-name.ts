import { findLatestPlatform } from "#domain/credentials/credential-store.js";
import { failedPrecondition } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";
import type { App } from "../app.js";

/**
 * Checks that a command issues under the same platform name as the service, whose environment may have a PLATFORM_NAME
 * that the shell lacks. Credentials keep the name permanently.
 * @throws Problem `failed-precondition` if PLATFORM_NAME is not set and the latest credential has another name
 */
export async function checkPlatformName({ config, database }: App): Promise<void> {
  if (process.env.PLATFORM_NAME) return;
  const latest = await findLatestPlatform(database.knex);
  if (latest === undefined || latest === config.platformName) return;
  throw failedPrecondition(
    `PLATFORM_NAME is not set, so credentials would permanently have the platform name ${quoted(config.platformName)}, but ` +
      `the latest one has ${quoted(latest)}. Set PLATFORM_NAME to the value that the service uses, and repeat the command.`,
  );
}
