import { findLatestPlatform } from "#domain/credentials/credential-store.js";
import { failedPrecondition, quoted } from "#foundation/errors.js";
import type { App } from "../app.js";

/**
 * Refuses to issue if PLATFORM_NAME seems to be missing here but set for the service, because a credential's platform
 * name can't be changed later. The latest credential shows the name that the service uses.
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
