import { Problem } from "#foundation/errors.js";
import type { Readiness } from "#runtime/ops/readiness.js";
import type { ServiceProcess } from "#runtime/processes/child-process.js";
import { warnOfFewConnections } from "#runtime/processes/connections.js";
import { poolSizeBeside } from "#runtime/processes/shares.js";
import { type ProcessGroup, supervise } from "#runtime/processes/supervise.js";
import { type App, CLOSE_DEADLINE_MS } from "../app.js";
import { serveOps } from "../serve-ops.js";
import type { RunningService } from "./serve-here.js";

/** Maximum number of steps, each with its own deadline, in which a process shuts down. */
const MAX_CLOSE_STEPS = 3;

/**
 * Serves requests in several child processes, and runs jobs in a further one if `worker` is true. This process has
 * migrated the database, runs the embedded database if that is used, and serves the admin port for all child processes.
 */
export async function startServing(
  app: App,
  {
    worker: runsJobs,
    processes = 1,
    stopping,
  }: { worker: boolean; processes?: number | undefined; stopping: AbortSignal },
): Promise<RunningService> {
  const { config, log } = app;
  const group = supervise(log, config.shutdownDelay * 1000 + MAX_CLOSE_STEPS * CLOSE_DEADLINE_MS);
  app.defer(group.stop);
  stopping.addEventListener("abort", () => void group.stop());
  const poolSize = config.databasePoolSize ?? poolSizeBeside(processes);
  await warnOfFewConnections(app.database, log, { processes, poolSize, runsJobs });
  const env: Record<string, string> = {};
  const serving = (number: number): ServiceProcess => ({
    name: String(number),
    args: ["serve", "--no-worker", "--processes", String(processes)],
    env,
  });
  const addresses = await group.keep(serving(1));
  if (!addresses) throw new Problem("unavailable", "The first process did not report its address.");
  // With a fixed port, the processes know the URL already.
  if (config.httpPort === 0) env.PUBLIC_URL = addresses.publicUrl;
  await app.announce(addresses.publicUrl);
  const others: ServiceProcess[] = Array.from({ length: processes - 1 }, (_, index) => serving(index + 2));
  const jobs = { name: "jobs", args: ["worker"], env: { ...env, PUBLIC_URL: addresses.publicUrl } };
  await Promise.all([...others, ...(runsJobs ? [jobs] : [])].map(group.keep));
  const adminPort = await serveOps({
    config,
    log,
    defer: app.defer,
    readiness: readinessOf(group, app.readiness),
    metrics: { ...app.metrics, text: () => metricsOfAll(app, group) },
  });
  return {
    addresses,
    adminPort,
    ended: group.failed,
    reload() {
      log.info("replacing the processes one by one");
      void group.roll();
    },
  };
}

/** Ready means that the database is ready and at least one process accepts requests. */
function readinessOf(group: ProcessGroup, own: Readiness): Readiness {
  return {
    ...own,
    async check() {
      const health = await own.check();
      const processes = group.states().map(({ name, isReady }) => ({ name, isReady }));
      const serving = processes.filter(({ name }) => name !== "jobs");
      if (health.status === "stopping" || health.status === "unready") return { ...health, processes };
      if (!serving.some(({ isReady }) => isReady)) return { ...health, status: "unready", processes };
      return processes.every(({ isReady }) => isReady)
        ? { ...health, processes }
        : { ...health, status: "degraded", processes };
    },
  };
}

async function metricsOfAll({ metrics }: App, group: ProcessGroup): Promise<string> {
  const [{ mergeMetrics }, own, others] = await Promise.all([
    import("#runtime/ops/merge-metrics.js"),
    metrics.snapshot(),
    group.measure(),
  ]);
  return mergeMetrics([{ name: "parent", metrics: own }, ...others], group.states());
}
