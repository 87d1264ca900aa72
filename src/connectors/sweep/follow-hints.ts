import { PullError } from "../driver/pull-error.js";
import { type DueHint, listDue, postponeHint, removeHint } from "./hint-store.js";
import { createLedger } from "./ledger.js";
import { createInclusion, type SweepDeps, WHOLE } from "./run-sweep.js";
import { findContext, lastSweeps, listConfigured } from "./sweep-store.js";

const AT_A_TIME = 50;

/**
 * Reads the learners of due hints anew. What a hint says is not taken as a fact: only where to look.
 * @returns how many were followed
 */
export async function followHints(deps: SweepDeps, signal: AbortSignal): Promise<number> {
  const { database, settings, source } = deps;
  const { knex } = database;
  const due = await listDue(knex, settings.id, AT_A_TIME);
  const { last } = await lastSweeps(knex, settings.id);
  if (due.length === 0 || !last || !source.pull) return 0;
  const { holds } = createInclusion(settings, await listConfigured(knex));
  const judging = { database, connector: settings.id, parse: deps.parse, signal, isIncluded: holds };
  const ledger = createLedger(judging, last.id, {});
  for (const hint of due) {
    signal.throwIfAborted();
    await follow(hint).catch((error) => {
      if (signal.aborted || !(error instanceof PullError)) throw error;
      return postponeHint(knex, hint);
    });
  }
  return due.length;

  async function follow(hint: DueHint): Promise<void> {
    const course = hint.courseKey === "" ? undefined : await findContext(knex, settings.id, hint.courseKey);
    const isRead = hint.courseKey === "" || (course !== undefined && holds(hint.courseKey));
    const page = isRead ? await source.pull?.({ ...hint, course }, ledger) : undefined;
    if (page) await ledger.commit(page, undefined, course ?? WHOLE);
    await removeHint(knex, hint.id);
  }
}
