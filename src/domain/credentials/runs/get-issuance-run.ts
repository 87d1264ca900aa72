import { Problem } from "#foundation/errors.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { isUuid } from "../uuid.js";
import type { IssuanceRun, RunReport } from "./issuance-run.js";
import { findRun, listFailures, lockRun } from "./run-store.js";

/** @throws Problem `not-found`, also if `id` is not a UUID */
export function getIssuanceRun(database: Database, id: string, signal: AbortSignal): Promise<RunReport> {
  return inSnapshot(database, signal, async (transaction) =>
    reportOn(transaction, requireFound(isUuid(id) ? await findRun(transaction, id) : undefined)),
  );
}

/** Returns the id in lower case. @throws Problem `not-found`, also if `id` is not a UUID */
export async function existingRun(transaction: Knex.Transaction, id: string): Promise<string> {
  return requireFound(isUuid(id) ? await findRun(transaction, id) : undefined).id;
}

/** Locks the run until the transaction ends. @throws Problem `not-found`, also if `id` is not a UUID */
export async function lockIssuanceRun(transaction: Knex.Transaction, id: string): Promise<IssuanceRun> {
  return requireFound(isUuid(id) ? await lockRun(transaction, id) : undefined);
}

export async function reportOn(transaction: Knex.Transaction, run: IssuanceRun): Promise<RunReport> {
  const failures = run.failedCount === 0 ? [] : await listFailures(transaction, run);
  return { run, failures };
}

function requireFound(run: IssuanceRun | undefined): IssuanceRun {
  if (!run) throw new Problem("not-found", "Issuance run not found.", { reason: "RUN_NOT_FOUND" });
  return run;
}
