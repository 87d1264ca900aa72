import { Cron } from "croner";
import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import type { Connector } from "./connector.js";
import { listDue } from "./sweep/hint-store.js";
import { findPause } from "./sweep/pause-store.js";
import { lastSweeps, type SweepRow } from "./sweep/sweep-store.js";

/** For so long a platform is read before it is the turn of the others. Six times it may have a request wait for 15 minutes. */
const TURN_MS = 2 * 3_600_000;

interface DueDeps {
  readonly database: Database;
  readonly log: Logger;
  /** For connectors that name no time zone. */
  readonly timeZone: string;
  /** Returns what aborts when a platform has been read for long. Default: after two hours */
  readonly beginTurn?: () => AbortSignal;
}

/**
 * Sweeps each platform whose time has come, or whose sweep was interrupted, one after the other. Of the others,
 * it follows hints. One that could not be read is left alone for a while, and does not hold up the others. Nor does one
 * that takes longer than its turn: when the others had theirs, its sweep goes on from its last page.
 */
export async function sweepDue(
  deps: DueDeps,
  connectors: readonly Connector[],
  signal: AbortSignal,
): Promise<void> {
  for (const connector of connectors) {
    const pause = await findPause(deps.database.knex, connector.settings.id);
    if (pause?.until && pause.until > new Date()) continue;
    const turn = deps.beginTurn?.() ?? AbortSignal.timeout(TURN_MS);
    try {
      await readDue(deps, connector, AbortSignal.any([signal, turn]));
    } catch (error) {
      if (signal.aborted || !turn.aborted) throw error;
      deps.log.info({ connector: connector.settings.id }, "a long sweep goes on when others had their turn");
    }
  }
}

async function readDue(deps: DueDeps, connector: Connector, signal: AbortSignal): Promise<void> {
  const cause = await dueCause(deps, connector, new Date());
  if (cause === undefined) {
    if ((await listDue(deps.database.knex, connector.settings.id, 1)).length > 0)
      await connector.followHints(signal);
    return;
  }
  const report = await connector.sweep({ cause }, signal);
  if (!report) return; // another process does it
  const { state, reason, failures, held } = report;
  const line = { connector: connector.settings.id, state, reason, failures: failures.length, held };
  if (state === "complete") deps.log.info(line, "a sweep is complete");
  else deps.log.error(line, "a sweep is not complete: see the status of the connector");
}

/** @returns why a sweep is due; undefined if none is */
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
 * Returns when the sweep after the last one is due.
 * @param timeZone of connectors that name none
 * @returns undefined: never by itself, or at once, since there was none
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
