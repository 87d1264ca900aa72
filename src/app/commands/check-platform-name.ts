import { findLatestPlatform } from "#domain/credentials/credential-store.js";
import { failedPrecondition, quoted } from "#foundation/errors.js";
import type { App } from "../app.js";

/**
 * Checks that this command issues under the same platform name as the service. The service's environment may set
 * PLATFORM_NAME when the shell doesn't. The name of a credential can't be changed later.
 * @throws Problem `failed-precondition` if PLATFORM_NAME is not set and the latest credential has another platform name
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
