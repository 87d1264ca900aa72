import { setTimeout as sleep } from "node:timers/promises";
import type { Credential } from "#domain/credentials/credential.js";
import { getCredential } from "#domain/credentials/get-credential.js";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import { mintToken } from "#infrastructure/identity/mint-token.js";
import type { App } from "../app.js";
import { issuingDepsOf } from "../dependencies.js";
import type { SampleFacts } from "../sample-data/banner.js";
import { cast, platformService, staffUser } from "../sample-data/cast.js";
import { invalidateMisprint } from "../sample-data/invalidate-misprint.js";
import { loadSampleData } from "../sample-data/load.js";

/** How long startup waits for the first sample credential. */
const SAMPLE_TIMEOUT_MS = 20_000;
/** How long startup then waits for the invalidated credential. It is generated at about the same time. */
const MISPRINT_TIMEOUT_MS = 3_000;
const DAY_S = 86_400;

/**
 * Loads the sample academy and issues its example credentials.
 * @param runsJobs whether a worker is running that generates the credentials
 */
export async function prepareSample(
  app: App,
  runsJobs: boolean,
  stopping: AbortSignal,
): Promise<SampleFacts> {
  const { config, secrets } = app;
  const { graduate, misprint } = await loadSampleData(issuingDepsOf(app), stopping);
  const invalidating = misprint && invalidateInBackground(app, misprint, stopping);
  const credential = graduate && runsJobs ? await whenMade(app, graduate.uuid, stopping) : graduate;
  const isInvalidated = invalidating && (await settlesWithin(invalidating, MISPRINT_TIMEOUT_MS));
  const invalidated = isInvalidated ? await invalidating : undefined;
  const [secret] = secrets.authJwtSecrets;
  const mint = (caller: { username: string; isStaff?: boolean; scopes?: readonly string[] }) =>
    mintToken({ ...config.auth, ...caller, secret: secret ?? "", expiresInSeconds: DAY_S });
  return {
    credential,
    invalidated: invalidated?.status === "invalidated" ? invalidated : undefined,
    tokens:
      secret === undefined
        ? undefined
        : {
            learner: await mint({ username: cast.graduate.username }),
            staff: await mint(staffUser),
            service: await mint(platformService),
          },
  };
}

/** Continues after startup has stopped waiting. If it doesn't finish, the next start completes it. */
async function invalidateInBackground(
  { database, log }: App,
  misprint: Credential,
  stopping: AbortSignal,
): Promise<Credential | undefined> {
  try {
    return await invalidateMisprint(database, misprint.uuid, stopping);
  } catch (error) {
    if (!stopping.aborted)
      log.warn({ err: error }, "example of an invalidated credential could not be prepared");
    return undefined;
  }
}

async function whenMade({ database }: App, uuid: string, stopping: AbortSignal): Promise<Credential> {
  const deadline = Date.now() + SAMPLE_TIMEOUT_MS;
  for (;;) {
    const credential = await getCredential(database.knex, uuid);
    if (credential.status !== "generating" || Date.now() > deadline) return credential;
    await sleep(100, undefined, { signal: stopping });
  }
}
