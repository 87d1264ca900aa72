import { availableParallelism } from "node:os";

/** Maximum number of processes: more than machines have cores, and few enough for PostgreSQL. */
export const MAX_PROCESSES = 256;

/** Returns the default size of a database pool if several processes serve together. */
export function poolSizeBeside(processes: number): number {
  return Math.max(10, Math.ceil((availableParallelism() * 4) / processes));
}
