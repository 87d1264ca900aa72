import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app.js";
import { Problem } from "../errors.js";
import type { Worker } from "../jobs/worker.js";
import { createLog } from "../log/log.js";
import type { Config } from "../settings/config.js";
import { interruptSignal } from "./interrupt-signal.js";

/**
 * Runs until a signal stops it. It fails if the worker that `start` returns ends by itself, or the embedded
 * database is lost.
 * @param embedded as for `openApp`
 */
export async function untilStopped(
  config: Config,
  embedded: "own" | "attach",
  start: (app: App, stopping: AbortSignal) => Promise<Worker | undefined>,
): Promise<void> {
  const stopping = interruptSignal();
  const stopped = new Promise<"stopped">((stop) => {
    stopping.addEventListener("abort", () => stop("stopped"));
  });
  const log = await createLog(config.logLevel);
  let app: App | undefined;
  try {
    // Loaded here, so that `--help` need not load what commands work with.
    const [{ openApp }, { startBackground }] = await Promise.all([
      import("../app.js"),
      import("../background.js"),
    ]);
    app = await openApp(config, log, embedded);
    startBackground(app, ["sealing", "revoked keys"]);
    const worker = await start(app, stopping);
    const end = await Promise.race([stopped, app.lost, ...(worker ? [worker.ended] : [])]);
    if (end !== "stopped")
      throw new Problem("unavailable", "The worker has stopped; its log says why. Restart it.");
  } catch (error) {
    // An interrupted start fails with its own error; the interruption is the reason to report.
    if (!stopping.aborted) throw error;
  } finally {
    if (stopping.aborted) {
      log.info({ reason: stopping.reason.message }, "stopping");
      app?.readiness.fall();
      await sleep(config.shutdownDelay * 1000);
    }
    await app?.close();
  }
}
