import type { Logger } from "pino";
import type { Database } from "../db/database.js";
import { underSessionLock } from "../db/session-lock.js";
import type { ParsePlainRecord } from "../learners/plain-record.js";
import type { ConnectorMetrics } from "../ops/metrics.js";
import type { ConnectorSettings } from "./driver/connector-settings.js";
import { createPoliteClient, type Patience, type RequestMetrics } from "./driver/polite-client.js";
import { followHints } from "./sweep/follow-hints.js";
import { runSweep, type SweepDeps, type SweepOptions, type SweepReport } from "./sweep/run-sweep.js";

/** What all connectors work with. */
export interface ConnectorDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly parse: ParsePlainRecord;
  readonly metrics: ConnectorMetrics;
  readonly patience?: Partial<Patience>;
}

/** A configured connector. */
export interface Connector {
  readonly settings: ConnectorSettings;
  /**
   * Returns what reads the platform until the signal aborts.
   * @param patience default: that of a sweep, which waits for minutes
   */
  open(signal: AbortSignal, patience?: Partial<Patience>): SweepDeps;
  /**
   * Sweeps, unless another process does so already.
   * @returns undefined if it does
   */
  sweep(options: SweepOptions, signal: AbortSignal): Promise<SweepReport | undefined>;
  /** Reads what due hints point at; undefined if another process reads this platform. */
  followHints(signal: AbortSignal): Promise<number | undefined>;
  /** Runs `work` while no other process reads this platform; undefined if one does. */
  alone<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
}

export function createConnector(deps: ConnectorDeps, settings: ConnectorSettings): Connector {
  const { database, metrics } = deps;
  const { id } = settings;
  const told: RequestMetrics = {
    request: (endpoint, code, seconds) => metrics.request(id, endpoint, code, seconds),
    throttled: (seconds) => metrics.throttled(id, seconds),
  };
  const open: Connector["open"] = (signal, patience = deps.patience) => {
    const http = createPoliteClient({
      baseUrl: settings.base_url,
      requestsPerMinute: settings.requests_per_minute,
      concurrency: settings.concurrency,
      ...(patience && { patience }),
      metrics: told,
      signal,
    });
    return { ...deps, settings, http, source: settings.driver.open(settings.own, http) };
  };
  const alone: Connector["alone"] = (signal, work) =>
    underSessionLock(database.directUrl, `connector ${id}`, signal, work);
  return {
    settings,
    open,
    alone,
    followHints: (signal) => alone(signal, (held) => followHints(open(held), held)),
    sweep: (options, signal) =>
      alone(signal, async (held) => {
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
