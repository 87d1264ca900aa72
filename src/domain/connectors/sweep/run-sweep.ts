import { forgetHintFailures } from "../../learners/connector-hints.js";
import type { Cost } from "../driver/polite-client.js";
import { PullError } from "../driver/pull-error.js";
import { explainEmptySweep } from "./inclusion.js";
import { createStorage, inDryRun, type Storage } from "./storage.js";
import {
  openSweep,
  progressOf,
  type Sweep,
  type SweepDeps,
  type SweepFailure,
  type SweepOptions,
  scopesOf,
} from "./sweep.js";
import { sweepScope } from "./sweep-scope.js";
import {
  endSweep,
  isWithheld,
  listConfigured,
  listRead,
  noteExcluded,
  noteUnlisted,
  removeOldSweeps,
  type SweepState,
  type SweepTally,
  saveCompleteContexts,
} from "./sweep-store.js";
import { withdrawAbsent } from "./withdraw-absent.js";

export interface SweepReport {
  readonly state: SweepState;
  /** Why the sweep ended in this state. */
  readonly reason: string;
  readonly tally: SweepTally;
  /** Errors, each with its stage and course. */
  readonly failures: readonly SweepFailure[];
  /** Facts that are not known yet, with the course and the reason. */
  readonly withheld: readonly { readonly scope: string; readonly reason: string }[];
  /** Number of withdrawals that await approval, because they exceed the limit. */
  readonly held: number;
  /** The cost of the sweep. After an interruption, it includes only requests since the sweep resumed. */
  readonly cost: Cost;
}

/**
 * Reads a whole platform, or resumes an interrupted sweep. An enrolment is withdrawn only if this connector has
 * reported it, and if the platform's list was read completely.
 */
export function runSweep(deps: SweepDeps, options: SweepOptions, signal: AbortSignal): Promise<SweepReport> {
  const { database, settings } = deps;
  return options.dryRun
    ? inDryRun(database, settings.id, signal, (storage) => sweepPlatform(deps, options, storage, signal))
    : sweepPlatform(deps, options, createStorage(database, signal), signal);
}

async function sweepPlatform(
  deps: SweepDeps,
  options: SweepOptions,
  storage: Storage,
  signal: AbortSignal,
): Promise<SweepReport> {
  const sweep = await openSweep(deps, options, storage, signal);
  const { failures, broken, included, settings } = sweep;
  try {
    await sweepStages(sweep);
  } catch (error) {
    if (!(error instanceof PullError)) throw error;
    return endWith(sweep, "failed", error.message);
  }
  const heldCount = await withdrawAbsent(sweep);
  await noteCompleteContexts(sweep);
  const needed = failures.filter(({ scope }) => broken.has(scope));
  if (heldCount > 0)
    return endWith(
      sweep,
      "held",
      `${heldCount} enrolments are no longer listed: too many to withdraw automatically.`,
      heldCount,
    );
  if (needed.length > 0)
    return endWith(sweep, "partial", `${needed.length} courses or paths could not be read.`);
  const { listed } = sweep;
  const isEmpty = listed && !listed.some(included.holds);
  return endWith(sweep, "complete", isEmpty ? explainEmptySweep(settings, listed) : "");
}

async function sweepStages(sweep: Sweep): Promise<void> {
  const { source, settings, options, http, included, storage } = sweep;
  let pages = 0;
  for (const stage of source.stages) {
    const scopes = await scopesOf(sweep, stage);
    let done = 0;
    const onPage = () =>
      options.onPage?.({ stage: stage.name, done, of: scopes.length, pages: ++pages, cost: http.cost() });
    await inParallel(scopes, settings.concurrency, async (scope) => {
      await sweepScope(sweep, stage, scope, onPage);
      done++;
    });
    if (stage.each === "sweep") included.set(await storage.query(listConfigured));
  }
}

/**
 * Records which courses and paths are complete, excluded or no longer listed. A course or path is complete if each of
 * its stages is complete, or has failed but is optional. A failed stage for the whole platform ends the sweep earlier.
 */
async function noteCompleteContexts(sweep: Sweep): Promise<void> {
  const { source, settings, storage, included } = sweep;
  const completeContexts: string[] = [];
  for (const each of ["course", "path"] as const) {
    const needed = source.stages.filter((stage) => stage.each === each);
    const [first] = needed;
    if (!first) continue;
    for (const { contextKey } of await scopesOf(sweep, first)) {
      const isComplete = needed.every((stage) => {
        const state = progressOf(sweep, stage.name, contextKey)?.state;
        return state === "complete" || (stage.isOptional && state === "failed");
      });
      if (isComplete) completeContexts.push(contextKey);
    }
  }
  await storage.query(async (db) => {
    await saveCompleteContexts(
      db,
      settings.id,
      completeContexts,
      sweep.startedAt,
      settings.fresh_within_hours,
    );
    const excluded = (await listRead(db, settings.id)).filter((key) => !included.holds(key));
    await noteExcluded(db, settings.id, excluded);
    await noteUnlisted(db, settings.id, sweep.id);
  });
}

async function endWith(sweep: Sweep, state: SweepState, reason: string, held = 0): Promise<SweepReport> {
  const { ledger, stages, settings, failures, http } = sweep;
  await sweep.storage.query(async (db) => {
    await endSweep(db, sweep.id, state, reason, ledger.tally);
    await removeOldSweeps(db, settings.id);
    if (state === "complete") await forgetHintFailures(db, settings.id);
  });
  const withheld = [...stages.values()]
    .filter(isWithheld)
    .map(({ scope, error }) => ({ scope, reason: error }));
  return { state, reason, tally: ledger.tally, failures, withheld, held, cost: http.cost() };
}

async function inParallel<T>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const run = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await work(item).catch((error) => {
        left.length = 0; // nothing else starts after a failure
        throw error;
      });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(count, items.length) }, run));
  const failed = results.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
