import { perServersCpuSecond } from "./cpu.js";
import type { Until } from "./load/count.js";
import type { Stage } from "./stage.js";

const SECONDS = 2;
const ANSWERS_IN_SHORT = 5000;

/**
 * Runs `work`, which processes `units`, and returns the number of units per second. In the short form, the machine may
 * be busy, so seconds of the servers' processor time are measured instead.
 * @param pid process id of the server; undefined if the server is Postgres alone
 */
export async function rate(
  stage: Stage,
  pid: number | undefined,
  units: number,
  work: () => Promise<unknown>,
): Promise<number> {
  if (stage.isShort) return perServersCpuSecond(stage, pid, units, work);
  const started = performance.now();
  await work();
  return (units * 1000) / (performance.now() - started);
}

/** Like `rate`, but for a load, which returns its responses per second. */
export function rateUnderLoad(
  stage: Stage,
  pid: number,
  load: (until: Until) => Promise<number>,
): Promise<number> {
  if (!stage.isShort) return load({ seconds: SECONDS });
  return perServersCpuSecond(stage, pid, ANSWERS_IN_SHORT, () => load({ answers: ANSWERS_IN_SHORT }));
}
