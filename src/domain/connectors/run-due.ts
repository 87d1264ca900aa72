import { Cron } from "croner";
import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import { listDue } from "../learners/connector-hints.js";
import type { Connector } from "./connector.js";
import { findPause } from "./sweep/pause-store.js";
import { lastSweeps, type SweepRow } from "./sweep/sweep-store.js";

/** Maximum time to read one platform before the next platform's turn. Allows for six waits of 15 minutes. */
const MAX_TURN_MS = 2 * 3_600_000;

interface DueDeps {
  readonly database: Database;
  readonly log: Logger;
  /** Time zone of connectors that set none. */
  readonly timeZone: string;
  /**
   * Starts the turn of a platform, and returns a signal that aborts when the turn is over. By default, a turn takes at
   * most two hours.
   */
  readonly beginTurn?: () => AbortSignal;
}

/**
 * Reads platforms one after the other: runs the sweeps that are due or were interrupted, and follows the hints of the
 * other platforms. A platform that can't be read is paused and does not delay the others. A long sweep resumes at its
 * last page after the other platforms have had their turns.
 */
export async function sweepDue(
  deps: DueDeps,
  connectors: readonly Connector[],
  signal: AbortSignal,
): Promise<void> {
  for (const connector of connectors) {
    const pause = await findPause(deps.database.knex, connector.settings.id);
    if (pause?.until && pause.until > new Date()) continue;
    const turn = deps.beginTurn?.() ?? AbortSignal.timeout(MAX_TURN_MS);
    try {
      await readIfDue(deps, connector, AbortSignal.any([signal, turn]));
    } catch (error) {
      if (signal.aborted || !turn.aborted) throw error;
      deps.log.info(
        { connector: connector.settings.id },
        "reading of the platform paused so that other connectors can run; it will resume",
      );
    }
  }
}

async function readIfDue(deps: DueDeps, connector: Connector, signal: AbortSignal): Promise<void> {
  const cause = await dueCause(deps, connector, new Date());
  if (cause === undefined) {
    if ((await listDue(deps.database.knex, connector.settings.id, 1)).length > 0)
      await connector.followHints(signal);
    return;
  }
  const report = await connector.sweep({ cause }, signal);
  if (!report) return; // another process is running the sweep
  const { state, reason, failures, held } = report;
  const line = { connector: connector.settings.id, state, reason, failures: failures.length, held };
  if (state === "complete") deps.log.info(line, "sync complete");
  else deps.log.error(line, "sync incomplete; see the status of the connector");
}

async function dueCause(
  { database, timeZone }: DueDeps,
  { settings }: Connector,
  now: Date,
): Promise<string | undefined> {
  const { last } = await lastSweeps(database.knex, settings.id);
  if (last?.state === "running") return "resumed";
  if (settings.sweep === "") return undefined;
  if (!last) return "first";
  const next = nextSweep(settings, last, timeZone);
  return next && next <= now ? "schedule" : undefined;
}

/**
 * Returns when the next sweep is due. Returns `undefined` without a schedule, or if the first sweep is due immediately.
 * @param timeZone for connectors that set none
 */
export function nextSweep(
  { sweep, time_zone }: Pick<Connector["settings"], "sweep" | "time_zone">,
  last: SweepRow | undefined,
  timeZone: string,
): Date | undefined {
  if (sweep === "" || !last) return undefined;
  return (
    new Cron(sweep, { timezone: time_zone ?? timeZone, paused: true }).nextRun(last.startedAt) ?? undefined
  );
}
