/** The processor time that this process has used since then, in milliseconds. A busy machine does not increase it. */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
