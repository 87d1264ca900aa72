import type { RecordPage, Scope, Stage } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { eraseRetired } from "./erase-retired.js";
import { readStagePage } from "./read-page.js";
import { noteProgress, progressOf, type Sweep } from "./sweep.js";
import { type StageRow, saveStage } from "./sweep-store.js";

/** Reads the remaining pages of a stage for a course, a path or the platform. */
export async function sweepScope(
  sweep: Sweep,
  stage: Stage,
  scope: Scope,
  onPage: () => void,
): Promise<void> {
  const { signal, ledger } = sweep;
  const before = progressOf(sweep, stage.name, scope.contextKey);
  if (before?.state === "complete") return;
  let row = reopened(before) ?? firstRow(stage, scope);
  let hasRestarted = false;
  const seen = new Set<string>();
  while (row.state === "open") {
    signal.throwIfAborted();
    let page: RecordPage;
    try {
      page = await readStagePage(stage, row, scope, ledger);
      if (page.next !== null && seen.has(page.next))
        throw new PullError("invalid", `${stage.name}: the next-page links form a loop`);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PullError)) throw error;
      if (error.fault === "auth" || error.fault === "clock") throw error;
      if (hasRestarted || !isCursorLost(row, error)) return fail(sweep, stage, row, error);
      hasRestarted = true;
      seen.clear();
      row = { ...row, cursor: null, error: "" };
      continue;
    }
    if (page.next !== null) seen.add(page.next);
    if (page.contexts) {
      sweep.listed ??= [];
      for (const { contextKey } of page.contexts) sweep.listed.push(contextKey);
    }
    await eraseRetired(sweep, page);
    row = {
      ...row,
      cursor: page.next,
      pages: row.pages + 1,
      state: page.next === null ? "complete" : "open",
      error: page.withheld ?? row.error,
    };
    await ledger.commit(page, row, scope);
    noteProgress(sweep, row);
    onPage();
  }
}

function firstRow({ name }: Stage, { contextKey }: Scope): StageRow {
  return { stage: name, scope: contextKey, state: "open", cursor: null, pages: 0, error: "" };
}

function reopened(row: StageRow | undefined): StageRow | undefined {
  return row && { ...row, state: "open", error: row.state === "open" ? row.error : "" };
}

/**
 * Returns whether the platform may have forgotten the cursor, for example after a restart. The stage then starts over,
 * once.
 */
function isCursorLost({ cursor }: StageRow, { status }: PullError): boolean {
  return cursor !== null && (status === 404 || status === 400);
}

/** @throws PullError if the sweep can't continue without the stage */
async function fail(sweep: Sweep, stage: Stage, row: StageRow, error: PullError): Promise<void> {
  const failed: StageRow = { ...row, state: "failed", error: error.message };
  noteProgress(sweep, failed);
  await sweep.storage.query((db) => saveStage(db, sweep.id, failed));
  sweep.failures.push({ stage: row.stage, scope: row.scope, error: error.message });
  if (stage.isOptional) return;
  if (stage.each === "sweep") throw error;
  sweep.broken.add(row.scope);
}
