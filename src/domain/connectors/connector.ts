import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import { underSessionLock } from "#infrastructure/db/session-lock.js";
import type { GuardedFetch } from "#infrastructure/outbound/guarded-fetch.js";
import type { ConnectorMetrics } from "./connector-metrics.js";
import type { ConnectorSettings } from "./driver/connector-settings.js";
import { createPoliteClient, type RequestMetrics, type RetryPolicy } from "./driver/polite-client.js";
import { followHints } from "./sweep/follow-hints.js";
import { createHintSink } from "./sweep/hint-sink.js";
import { beginReading, endReading, type Pause, pauseReading } from "./sweep/pause-store.js";
import { runSweep, type SweepReport } from "./sweep/run-sweep.js";
import type { SweepDeps, SweepOptions } from "./sweep/sweep.js";

export interface ConnectorDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly metrics: ConnectorMetrics;
  /** Used only by connectors that were saved in the console. */
  readonly guardedFetch?: GuardedFetch;
  readonly retryPolicy?: Partial<RetryPolicy>;
}

export interface Connector {
  readonly settings: ConnectorSettings;
  /** @param retryPolicy default: the policy for sweeps, which wait for minutes */
  open(signal: AbortSignal, retryPolicy?: Partial<RetryPolicy>): SweepDeps;
  /**
   * Runs a sweep. Reads nothing and returns `undefined` if another process is reading this platform, or during a pause
   * after a failure.
   * @param options.isRequested whether a person requested the sweep, which then ignores pauses
   */
  sweep(
    options: SweepOptions & { readonly isRequested?: boolean },
    signal: AbortSignal,
  ): Promise<SweepReport | undefined>;
  /**
   * Reads the learners of due hints. Returns `undefined` if another process is reading this platform, or during a
   * pause.
   */
  followHints(signal: AbortSignal): Promise<number | undefined>;
  /** Processes the platform's messages, if it sends any, until the signal aborts. */
  followMessages(signal: AbortSignal): Promise<void>;
}

function guardedFetchOf({ guardedFetch }: ConnectorDeps): GuardedFetch {
  if (guardedFetch) return guardedFetch;
  throw new Error("guardedFetch is required for connectors that are stored in the database");
}

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
  const sink = createHintSink(id, database, log, (outcome) => metrics.event(id, outcome));
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
    log.error(
      { connector: id, ...pause },
      "stopped reading the platform after failures; see the connector's status",
    );

  /**
   * Runs `work` while no other process reads the platform. Returns `undefined` if another process does, or during a
   * pause. A pause starts after an unexpected failure, or after a crash while reading.
   */
  const withReadingLock = <T>(
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
      await open(signal).source.follow?.(sink, signal);
    },
    followHints: (signal) =>
      withReadingLock(signal, false, (held) =>
        followHints(open(held), held, (isAbandoned) =>
          metrics.event(id, isAbandoned ? "given_up" : "failed"),
        ),
      ),
    sweep: ({ isRequested = false, ...options }, signal) =>
      withReadingLock(signal, isRequested, async (held) => {
        const report = await runSweep(open(held), options, held);
        if (!options.dryRun) countSweep(metrics, id, report);
        return report;
      }),
  };
}

function countSweep(metrics: ConnectorMetrics, id: string, { tally, state, held }: SweepReport): void {
  for (const [what, count] of Object.entries(tally)) {
    const [kind = "", outcome] = what.split(".");
    if (outcome !== undefined) metrics.records(id, kind, outcome, count);
  }
  metrics.sweep(id, state, held);
}
