import { writeFileSync } from "node:fs";
import type { ConnectorMetrics } from "#domain/connectors/connector-metrics.js";
import { lowerProcess } from "#foundation/concurrency/lower-priority.js";
import { notifyParent } from "#runtime/processes/child.js";
import { readConfig } from "#runtime/settings/config.js";
import { type App, openConnectorsOf } from "../app.js";
import { untilStopped } from "./until-stopped.js";

const END_TIMEOUT_MS = 8_000;

/** Score for the OOM killer, at most 1000. If memory is short, Linux kills processes with higher scores first. */
const OOM_SCORE = "500";

/**
 * Reads platforms until it is stopped: runs due sweeps, follows events, and reads LTI member lists. Also writes LTI
 * scores. A worker starts this process, and reads no data from platforms itself, so that such data can't crash the
 * worker.
 */
export async function followPlatforms(): Promise<void> {
  lowerProcess();
  try {
    writeFileSync("/proc/self/oom_score_adj", OOM_SCORE);
  } catch {} // the file exists only on Linux
  process.once("disconnect", endWithoutParent);
  if (process.connected === false) endWithoutParent(); // the worker ended while this program was loading
  await untilStopped(readConfig(process.env), "attach", async (app) => {
    const { startBackground } = await import("../background.js");
    const names = ["connectors", "platform events", "connector operations", "rosters", "gradebooks"] as const;
    startBackground(await countingInParent(app), names);
    return {};
  });
}

/** Shuts this process down after the worker that started it has died. Exits forcibly if the shutdown takes too long. */
function endWithoutParent(): void {
  setTimeout(() => process.exit(1), END_TIMEOUT_MS);
  process.kill(process.pid, "SIGTERM");
}

/** Returns the app with metrics that are counted in the parent, because only the parent serves the admin port. */
async function countingInParent(app: App): Promise<App> {
  const count =
    (name: string) =>
    (...values: (string | number)[]) =>
      notifyParent({ type: "counted", name, values });
  const metrics: ConnectorMetrics = {
    request: count("request"),
    throttled: count("throttled"),
    records: count("records"),
    sweep: count("sweep"),
    event: count("event"),
    watchHints() {},
    watchPauses() {},
  };
  return {
    ...app,
    metrics: { ...app.metrics, connectors: metrics },
    connectors: await openConnectorsOf(app, metrics),
  };
}
