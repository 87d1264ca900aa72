import { readFile } from "node:fs/promises";
import type { Stage } from "./stage.js";

/** Runs `work` over `units` of something, and tells how many that makes a second of this process's processor time. */
export async function perCpuSecond(units: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (units * 1e6) / (user + system);
}

/**
 * The same of the time that a server and all connections of the stage's database take together. Needs Linux.
 * @param pid of the server, undefined where that is Postgres alone
 */
export async function perServersCpuSecond(
  { sql }: Stage,
  pid: number | undefined,
  units: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const secondsSoFar = async () => {
    const { rows } = await sql.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database()",
    );
    const pids = [...(pid === undefined ? [] : [pid]), ...rows.map(({ pid }) => pid)];
    const each = await Promise.all(pids.map(cpuSecondsOf));
    return each.reduce((sum, seconds) => sum + seconds, 0);
  };
  const before = await secondsSoFar();
  await work();
  return units / ((await secondsSoFar()) - before);
}

/** Linux counts in hundredths of a second, whatever its clock does (`USER_HZ`). */
const TICKS_PER_SECOND = 100;

/** proc_pid_stat(5): the name of the program, in parentheses, may hold spaces; utime and stime come 12 and 13 fields later. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
