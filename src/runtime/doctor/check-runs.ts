import { setTimeout as sleep } from "node:timers/promises";
import { findDoneRuns } from "#domain/credentials/runs/run-store.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

/** Longer than a worker takes to notice that a run has finished. */
const PAUSE_MS = 5_000;

/** Checks that runs in progress still have jobs. */
export async function* checkRuns({ database }: DoctorDeps, signal: AbortSignal): AsyncGenerator<Finding> {
  const idle = await findDoneRuns(database.knex);
  if (idle.length === 0) return;
  await sleep(PAUSE_MS, undefined, { signal });
  const stillIdle = new Set(await findDoneRuns(database.knex));
  for (const id of idle) if (stillIdle.has(id)) yield { kind: "stalled-run", detail: `run ${id}` };
}
