import { availableParallelism } from "node:os";

/** Few machines have more cores, and PostgreSQL could not serve more processes. */
export const MAX_PROCESSES = 256;

/** Returns the default size of each process's database pool if several processes serve requests. */
export function poolSizeBeside(processes: number): number {
  return Math.max(10, Math.ceil((availableParallelism() * 4) / processes));
}
