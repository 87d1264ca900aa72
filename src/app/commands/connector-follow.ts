import { writeFileSync } from "node:fs";
import type { ConnectorMetrics } from "#domain/connectors/connector-metrics.js";
import { lowerProcess } from "#foundation/concurrency/lower-priority.js";
import { notifyParent } from "#runtime/processes/child.js";
import { readConfig } from "#runtime/settings/config.js";
import { type App, openConnectorsOf } from "../app.js";
import { untilStopped } from "./until-stopped.js";

const END_PATIENCE_MS = 8_000;

/** Of 1000: if memory is short, the system ends this process before those that answer callers. */
const FIRST_TO_END = "500";

/**
 * Sweeps platforms when they are due, follows their events, reads lists of members and writes into grade books by LTI,
 * until it is stopped. A worker starts this process for it:
 * what platforms send is read nowhere else, so that nothing they send can end the worker.
 */
export async function followPlatforms(): Promise<void> {
  lowerProcess();
  try {
    writeFileSync("/proc/self/oom_score_adj", FIRST_TO_END);
  } catch {} // only Linux has it
  process.once("disconnect", endWithoutParent);
  if (process.connected === false) endWithoutParent(); // The worker died while this program was being loaded.
  await untilStopped(readConfig(process.env), "attach", async (app) => {
    const { startBackground } = await import("../background.js");
    const names = [
      "connectors",
      "platform events",
      "connector operations",
      "rosters",
      "grade books",
    ] as const;
    startBackground(await countingInParent(app), names);
    return {};
  });
}

/** The worker has died: this process ends as if it were stopped, and in any case. */
function endWithoutParent(): void {
  setTimeout(() => process.exit(1), END_PATIENCE_MS);
  process.kill(process.pid, "SIGTERM");
}

/** The parent alone answers at the admin port. */
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
