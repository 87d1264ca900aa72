/** Milliseconds of processor time that this process has spent since then: on a busy machine no more than on an idle one. */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
