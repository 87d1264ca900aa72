import type { Logger } from "pino";
import { sweepDue } from "#domain/connectors/run-due.js";
import { readRevokedKeys } from "#domain/credentials/badges/issuer-key-store.js";
import { publishCheckpoint } from "#domain/credentials/checkpoints/publish-checkpoint.js";
import { queueExpiryNotices } from "#domain/credentials/emails/queue-expiry-notices.js";
import { removeOldEvents } from "#domain/credentials/events/remove-old-events.js";
import { startSealing } from "#domain/credentials/events/seal-events.js";
import { removeExpiredLinks } from "#domain/credentials/previews/preview-link-store.js";
import { endDoneRuns } from "#domain/credentials/runs/end-done-runs.js";
import { startIssuingWhenEarned } from "#domain/credentials/runs/issue-when-earned.js";
import { startScheduling } from "#domain/credentials/runs/start-scheduled-runs.js";
import { noteExpired } from "#domain/credentials/validity/note-expiry.js";
import type { Lti } from "#domain/lti/lti.js";
import { countRegistrations } from "#domain/lti/registration-store.js";
import { CONNECTOR_OPERATIONS, DOCTOR_OPERATIONS, type OperationKind } from "#domain/operations/operation.js";
import { runPendingOperations } from "#domain/operations/run-pending-operations.js";
import { removeOldAttempts } from "#domain/webhooks/attempt-store.js";
import { sendingDepsOf } from "#domain/webhooks/sending-deps.js";
import { startDelivering } from "#domain/webhooks/start-delivering.js";
import { type Repetition, repeat } from "#foundation/concurrency/repeat.js";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import { removeOldEntries } from "#infrastructure/audit/remove-old-entries.js";
import { keepProcessRunning } from "#runtime/processes/kept-process.js";
import { type App, CLOSE_DEADLINE_MS } from "./app.js";
import { issuingDepsOf, publishingDepsOf } from "./dependencies.js";

const RETENTION_PAUSE_MS = 3_600_000;

/** Pause between two searches for completed runs. */
const RUNS_PAUSE_MS = 1_000;

/** Maximum delay before a process stops signing with a key that was revoked in another process. */
const REVOCATIONS_PAUSE_MS = 5_000;

/** Maximum delay before a process issues credentials with issuer data that was saved in another process. */
const ISSUERS_PAUSE_MS = 2_000;

/** Maximum delay before a process shows a brand that was changed in another process. */
const BRANDS_PAUSE_MS = 10_000;

/** Pause between two writes of the counters. A killed process loses what it has counted since the last write. */
const FIGURES_PAUSE_MS = 8_000;

const CONNECTORS_PAUSE_MS = 5_000;

/**
 * Memory limit of the process that reads platforms. A sweep of 100,000 learners takes 180 MB, and the largest responses
 * take half of the rest.
 */
const READING_MEMORY_MB = 512;

/** Few connections are enough, because the process writes one page of data at a time. */
const READING_CONNECTIONS = "5";

/** Pause between two checks of when the seal certificates expire. */
const SEALS_PAUSE_MS = 86_400_000;

/** Pause between two checks for log entries that are unpublished or not timestamped. */
const LOG_PAUSE_MS = 60_000;

/** Pause between two searches for stored secrets that aren't encrypted with the first line of `SETTINGS_SECRET`. */
const SECRETS_PAUSE_MS = 60_000;

const OPERATIONS_PAUSE_MS = 2_000;

/** Pause between two searches for credentials that have expired or will expire soon. */
const EXPIRY_PAUSE_MS = 60_000;

type Start = (app: App) => Pick<Repetition, "stop">;

/** All repeated background work. Several processes can do the same work at the same time. */
const starters = {
  sealing: ({ database, log }) => startSealing(database.knex, log),
  "revoked keys": repeated("reading revoked keys", REVOCATIONS_PAUSE_MS, async ({ signingKeys, database }) =>
    signingKeys?.setRevoked(await readRevokedKeys(database.knex)),
  ),
  issuers: repeated("reading issuers", ISSUERS_PAUSE_MS, ({ storedIssuers }) => storedIssuers.refresh()),
  brands: repeated("reading brands", BRANDS_PAUSE_MS, ({ brands, emailTexts }) =>
    Promise.all([brands.refresh(), emailTexts.refresh()]),
  ),
  figures: startCounting,
  "old events": repeated(
    "removing old events",
    RETENTION_PAUSE_MS,
    async ({ config, database }, stopping) => {
      const { eventRetentionDays: days } = config;
      if (days > 0) await removeOldEvents(database.knex, days, stopping);
    },
  ),
  "old audit entries": repeated(
    "removing old audit entries",
    RETENTION_PAUSE_MS,
    async ({ config, database }, stopping) => {
      const { auditRetentionDays: days } = config;
      if (days > 0) await removeOldEntries(database.knex, days, stopping);
    },
  ),
  "old attempts": repeated("removing old attempts", RETENTION_PAUSE_MS, ({ database }, stopping) =>
    removeOldAttempts(database.knex, stopping),
  ),
  "expired links": repeated("removing expired links", RETENTION_PAUSE_MS, ({ database }) =>
    removeExpiredLinks(database.knex),
  ),
  seals: repeated("checking seal certificates", SEALS_PAUSE_MS, async ({ openSeals }) =>
    (await openSeals())?.warnOfEnds(),
  ),
  "stored secrets": repeated("encrypting stored secrets", SECRETS_PAUSE_MS, async (app) => {
    const settings = await app.storedSettings.renewSecrets(app.database.knex);
    if (settings > 0)
      app.log.info({ settings }, "stored secrets are now encrypted with the new SETTINGS_SECRET");
  }),
  log: repeated("publishing the log of events", LOG_PAUSE_MS, async (app, stopping) => {
    const signing = await app.openLogSigning();
    if (!signing) return;
    await publishCheckpoint(publishingDepsOf(app, signing), stopping);
  }),
  "ending runs": repeated("ending runs", RUNS_PAUSE_MS, ({ database }) => endDoneRuns(database)),
  expiry: repeated("recording expiries", EXPIRY_PAUSE_MS, async ({ database }, stopping) => {
    await noteExpired(database, stopping);
    await queueExpiryNotices(database, stopping);
  }),
  connectors: repeated(
    "reading platforms",
    CONNECTORS_PAUSE_MS,
    async ({ database, log, config, connectors }, stopping) => {
      const enabled = (await connectors.list()).usable.filter(({ settings }) => settings.isEnabled);
      await sweepDue({ database, log, timeZone: config.timeZone }, enabled, stopping);
    },
  ),
  "platform events": startFollowingEvents,
  platforms: startReading,
  operations: everyOperation(DOCTOR_OPERATIONS, async (app) => {
    const { openDoctorOperations } = await import("./open-doctor.js");
    return openDoctorOperations(app);
  }),
  "connector operations": everyOperation(CONNECTOR_OPERATIONS, async ({ connectors }) => {
    const { connectorOperations } = await import("#domain/connectors/operations.js");
    return connectorOperations(connectors);
  }),
  rosters: everyLti(
    "reading member lists",
    async () => (await import("#domain/lti/read-rosters.js")).readRostersInBackground,
  ),
  gradebooks: everyLti(
    "writing scores into gradebooks",
    async () => (await import("#domain/lti/write-scores.js")).writeDueScores,
  ),
  scheduling: (app) => startScheduling({ ...issuingDepsOf(app), log: app.log }),
  "automatic issuing": (app) => startIssuingWhenEarned({ ...issuingDepsOf(app), log: app.log }),
  webhooks: (app) => startDelivering({ ...sendingDepsOf(app), log: app.log, onAttempt: app.metrics.webhook }),
} satisfies Record<string, Start>;

type BackgroundWork = keyof typeof starters;

/** The work that every process does, whether it serves calls or runs jobs. */
export const SHARED_WORK: readonly BackgroundWork[] = [
  "sealing",
  "revoked keys",
  "issuers",
  "brands",
  "figures",
];

/** Starts the named work, which stops when the app closes. */
export function startBackground(app: App, names: readonly BackgroundWork[]): void {
  for (const name of names) {
    const { stop } = starters[name](app);
    app.defer(async () => void (await settlesWithin(stop(), CLOSE_DEADLINE_MS)));
  }
}

/** Saves the counters at intervals, and once more when stopped. */
function startCounting({ figures, log }: App): ReturnType<Start> {
  const { stop } = repeat({ name: "counting activity", pauseMs: FIGURES_PAUSE_MS, log, work: figures.keep });
  return {
    async stop() {
      await stop();
      await figures.keep();
    },
  };
}

/**
 * Creates work that repeats. Errors are ignored while the process is stopping: another process will do the work.
 */
function repeated(
  name: string,
  pauseMs: number,
  work: (app: App, stopping: AbortSignal) => Promise<unknown>,
): Start {
  return (app) =>
    repeat({
      name,
      pauseMs,
      log: app.log,
      async work(stopping) {
        await work(app, stopping).catch((error) => {
          if (!stopping.aborted) throw error;
        });
      },
    });
}

/** Processes the messages of each platform. Only connectors in CONNECTORS_FILE can have an event bus. */
function startFollowingEvents(app: App): ReturnType<Start> {
  const following = app.connectors.inFile.map(({ settings, followMessages }) =>
    repeated(`following the events of ${settings.id}`, CONNECTORS_PAUSE_MS, (_, stopping) =>
      followMessages(stopping),
    )(app),
  );
  return {
    async stop() {
      await Promise.all(following.map(({ stop }) => stop()));
    },
  };
}

/** Runs operations that staff request in the console. */
function everyOperation(
  kinds: readonly OperationKind[],
  open: (app: App) => ReturnType<Parameters<typeof runPendingOperations>[2]>,
): Start {
  return repeated("running operations", OPERATIONS_PAUSE_MS, (app, stopping) =>
    runPendingOperations(app, kinds, () => open(app), stopping),
  );
}

/** Creates repeated work for LTI. Does nothing if LTI is off. */
function everyLti(
  name: string,
  load: () => Promise<(lti: Lti, log: Logger, stopping: AbortSignal) => Promise<void>>,
): Start {
  return repeated(name, CONNECTORS_PAUSE_MS, async ({ openLti, log }, stopping) => {
    const lti = await openLti();
    if (lti) await (await load())(lti, log, stopping);
  });
}

/**
 * Reads platforms in a separate process, so that no response from a platform can crash this process. The separate
 * process runs while there are platforms to read, and is restarted if it ends.
 */
function startReading(app: App): ReturnType<Start> {
  let reading: ReturnType<typeof keepReaderProcess> | undefined;
  const watching = repeated("looking for platforms to read", CONNECTORS_PAUSE_MS, async () => {
    const isNeeded = await hasPlatforms(app);
    if (isNeeded) reading ??= keepReaderProcess(app);
    else await reading?.stop().finally(() => (reading = undefined));
  })(app);
  return {
    async stop() {
      await watching.stop();
      await reading?.stop();
    },
  };
}

async function hasPlatforms({ database, connectors, ltiObstacle }: App): Promise<boolean> {
  if (connectors.inFile.length > 0) return true;
  if (ltiObstacle === undefined && (await countRegistrations(database.knex)) > 0) return true;
  const { usable, unusable } = await connectors.list();
  return usable.length + unusable.length > 0;
}

function keepReaderProcess({ log, metrics }: App) {
  const { request, throttled, records, sweep, event } = metrics.connectors;
  return keepProcessRunning({
    name: "platforms",
    args: ["connector", "follow"],
    env: { ADMIN_PORT: "", DATABASE_POOL_SIZE: READING_CONNECTIONS, SHUTDOWN_DELAY: "0" },
    memoryMb: READING_MEMORY_MB,
    pauseMs: CONNECTORS_PAUSE_MS,
    log,
    counters: { request, throttled, records, sweep, event },
  });
}
