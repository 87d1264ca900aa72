import { availableParallelism } from "node:os";

/** More than machines have cores, and few enough for PostgreSQL. */
export const MAX_PROCESSES = 256;

/** Returns the default size of a database pool where several processes serve together. */
export function poolSizeBeside(processes: number): number {
  return Math.max(10, Math.ceil((availableParallelism() * 4) / processes));
}
