import { perServersCpuSecond } from "./cpu.js";
import type { Until } from "./load/count.js";
import type { Stage } from "./stage.js";

const SECONDS = 2;
const ANSWERS_IN_SHORT = 5000;

/**
 * Runs `work` over `units` of something, and tells how many that makes a second. In short form, where the machine may be busy
 * with something else: a second of the processor time of the servers.
 * @param pid of the server, undefined where that is Postgres alone
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

/** The same of answers to a load, which tells how many those were a second. */
export function rateUnderLoad(
  stage: Stage,
  pid: number,
  load: (until: Until) => Promise<number>,
): Promise<number> {
  if (!stage.isShort) return load({ seconds: SECONDS });
  return perServersCpuSecond(stage, pid, ANSWERS_IN_SHORT, () => load({ answers: ANSWERS_IN_SHORT }));
}
