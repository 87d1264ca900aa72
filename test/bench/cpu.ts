import { readdir, readFile } from "node:fs/promises";
import type { Stage } from "./stage.js";

/**
 * Runs `work`, which processes `units`.
 * @returns the number of units per second of this process's processor time
 */
export async function perCpuSecond(units: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (units * 1e6) / (user + system);
}

/**
 * Like `perCpuSecond`, but for the processor time that a server and all connections of the stage's database use
 * together. Needs Linux. Connections that end while `work` runs are not included. Therefore, only idle connections may
 * end, for example those of the contest's other side.
 * @param pid process id of the server; undefined if the server is Postgres alone
 */
export async function perServersCpuSecond(
  { sql }: Stage,
  pid: number | undefined,
  units: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const secondsSoFar = async () => {
    const { rows } = await sql.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
    );
    const pids = [...(pid === undefined ? [] : [pid]), ...rows.map(({ pid }) => pid)];
    return new Map(await Promise.all(pids.map(async (pid) => [pid, await cpuSecondsOf(pid)] as const)));
  };
  const before = await secondsSoFar();
  await work();
  let seconds = 0;
  for (const [pid, after] of await secondsSoFar()) seconds += after - (before.get(pid) ?? 0);
  return units / seconds;
}

/**
 * Returns the processor time of all threads. It is measured in nanoseconds, because proc_pid_stat(5) has only
 * hundredths of a second, and some figures take only a dozen of them.
 */
async function cpuSecondsOf(pid: number): Promise<number> {
  const tasks = `/proc/${pid}/task`;
  const threads = await readdir(tasks);
  const stats = await Promise.all(
    threads.map((thread) => readFile(`${tasks}/${thread}/schedstat`, "latin1")),
  );
  return stats.reduce((sum, stat) => sum + Number(stat.split(" ", 1)[0]), 0) / 1e9;
}
