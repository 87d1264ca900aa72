import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { standingOf } from "../credential-status.js";
import { queryRows } from "../db/query.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

const { isGenerating } = standingOf();

/** Longer than a worker takes to notice that a run is done. */
const PAUSE_MS = 5_000;

/** Checks that running runs still have something to do. */
export async function* checkRuns({ database }: DoctorDeps, signal: AbortSignal): AsyncGenerator<Finding> {
  const idle = await idleRuns(database.knex);
  if (idle.length === 0) return;
  await sleep(PAUSE_MS, undefined, { signal });
  const stillIdle = new Set(await idleRuns(database.knex));
  for (const id of idle) if (stillIdle.has(id)) yield { kind: "stalled-run", detail: `run ${id}` };
}

async function idleRuns(db: Knex): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `select id from issuance_runs run
     where state = 'running'
       and not exists (select from credentials where run_id = run.id and ${isGenerating})`,
  );
  return rows.map(({ id }) => id);
}
