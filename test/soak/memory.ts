import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Deployment } from "./deployment.js";

const PAUSE_MS = 1_000;
const MIB = 1024;

/** The memory of one process over time. */
export interface Samples {
  readonly name: string;
  /** In MiB, about one sample per second. */
  readonly rss: number[];
  readonly begun: number;
  ended: number;
}

/** Samples the memory of each process every second until the signal aborts. @returns the samples by process id */
export async function sampleMemory(
  { processes }: Deployment,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Samples>> {
  const samples = new Map<number, Samples>();
  while (!signal.aborted) {
    for (const [name, { process }] of processes) {
      const pid = process.pid as number;
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
      if (kib === undefined) continue;
      const now = performance.now();
      const own = samples.get(pid) ?? { name, rss: [], begun: now, ended: now };
      samples.set(pid, own);
      own.ended = now;
      own.rss.push(Math.round(Number(kib) / MIB));
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
  return samples;
}

/** Returns the median of a part of the samples. `from` and `to` are fractions of the whole. */
export function medianOf({ rss }: Samples, from: number, to: number): number {
  const part = rss.slice(Math.floor(rss.length * from), Math.ceil(rss.length * to)).sort((a, b) => a - b);
  return part[part.length >> 1] ?? 0;
}
