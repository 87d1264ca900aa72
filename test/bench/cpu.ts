/** Runs `work` over `units` of something, and tells how many that makes a second of this process's processor time. */
export async function perCpuSecond(units: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (units * 1e6) / (user + system);
}
