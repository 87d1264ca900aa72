import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import { underSessionLock } from "#infrastructure/db/session-lock.js";
import type { GuardedFetch } from "#infrastructure/outbound/guarded-fetch.js";
import type { ParsePlainRecord } from "../learners/plain-record.js";
import type { ConnectorMetrics } from "./connector-metrics.js";
import type { ConnectorSettings } from "./driver/connector-settings.js";
import { createPoliteClient, type RequestMetrics, type RetryPolicy } from "./driver/polite-client.js";
import { followHints } from "./sweep/follow-hints.js";
import { createHintSink } from "./sweep/hint-sink.js";
import { beginReading, endReading, type Pause, pauseReading } from "./sweep/pause-store.js";
import { runSweep, type SweepReport } from "./sweep/run-sweep.js";
import type { SweepDeps, SweepOptions } from "./sweep/sweep.js";

/** Dependencies of all connectors. */
export interface ConnectorDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly parse: ParsePlainRecord;
  readonly metrics: ConnectorMetrics;
  /** Sends the requests of connectors that were saved in the console. */
  readonly guardedFetch?: GuardedFetch;
  readonly retryPolicy?: Partial<RetryPolicy>;
}

/** A configured connector. */
export interface Connector {
  readonly settings: ConnectorSettings;
  /**
   * Returns the dependencies for reading the platform until the signal aborts.
   * @param retryPolicy default: that of a sweep, which waits for minutes
   */
  open(signal: AbortSignal, retryPolicy?: Partial<RetryPolicy>): SweepDeps;
  /**
   * Runs a sweep, unless another process already does, or reading is paused after a failure.
   * @param options.isAsked whether a person requested it, in which case a pause is ignored
   * @returns undefined if no sweep ran
   */
  sweep(
    options: SweepOptions & { readonly isRequested?: boolean },
    signal: AbortSignal,
  ): Promise<SweepReport | undefined>;
  /**
   * Reads the learners of due hints. Returns undefined if another process reads this platform, or if reading is paused.
   */
  followHints(signal: AbortSignal): Promise<number | undefined>;
  /** Follows the messages of the platform, if it sends any, until the signal aborts. */
  followMessages(signal: AbortSignal): Promise<void>;
}

function guardedFetchOf({ guardedFetch }: ConnectorDeps): GuardedFetch {
  if (guardedFetch) return guardedFetch;
  throw new Error("a stored connector needs a guarded fetch");
}

/** Name of the lock that is held while a platform is read. */
export function readingLock(id: string): string {
  return `connector ${id}`;
}

export function createConnector(deps: ConnectorDeps, settings: ConnectorSettings): Connector {
  const { database, log, metrics } = deps;
  const { id } = settings;
  const requestMetrics: RequestMetrics = {
    request: (endpoint, code, seconds) => metrics.request(id, endpoint, code, seconds),
    throttled: (seconds) => metrics.throttled(id, seconds),
  };
  const open: Connector["open"] = (signal, retryPolicy = deps.retryPolicy) => {
    const http = createPoliteClient({
      baseUrl: settings.base_url,
      requestsPerMinute: settings.requests_per_minute,
      concurrency: settings.concurrency,
      ...(retryPolicy && { retryPolicy }),
      metrics: requestMetrics,
      signal,
      ...(settings.isStored && { send: guardedFetchOf(deps) }),
    });
    return { ...deps, settings, http, source: settings.driver.open(settings.own, http) };
  };
  const logPause = (pause: Pause | undefined) =>
    log.error({ connector: id, ...pause }, "platform paused; see the status of the connector");

  /**
   * Reads while no other process does. After a crash of this process or an unexpected failure, reading is paused first.
   */
  const alone = <T>(
    signal: AbortSignal,
    isRequested: boolean,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> =>
    underSessionLock(database.directUrl, readingLock(id), signal, async (held) => {
      const { knex } = database;
      const pause = await beginReading(knex, id, { isRequested });
      if (pause) {
        logPause(pause);
        return undefined;
      }
      try {
        const result = await work(held);
        await endReading(knex, id);
        return result;
      } catch (error) {
        if (held.aborted || describeOutage(error) !== undefined) await endReading(knex, id).catch(() => {});
        else {
          logPause(await pauseReading(knex, id, `an unexpected error: ${(error as Error).name}`));
        }
        throw error;
      }
    });
  return {
    settings,
    open,
    async followMessages(signal) {
      const sink = createHintSink(id, database, log, (outcome) => metrics.event(id, outcome));
      await open(signal).source.follow?.(sink, signal);
    },
    followHints: (signal) =>
      alone(signal, false, (held) =>
        followHints(open(held), held, (isAbandoned) =>
          metrics.event(id, isAbandoned ? "given_up" : "failed"),
        ),
      ),
    sweep: ({ isRequested = false, ...options }, signal) =>
      alone(signal, isRequested, async (held) => {
        const report = await runSweep(open(held), options, held);
        if (!options.dryRun) tell(metrics, id, report);
        return report;
      }),
  };
}

function tell(metrics: ConnectorMetrics, id: string, { tally, state, held }: SweepReport): void {
  for (const [what, count] of Object.entries(tally)) {
    const [kind = "", outcome] = what.split(".");
    if (outcome !== undefined) metrics.records(id, kind, outcome, count);
  }
  metrics.sweep(id, state, held);
}
