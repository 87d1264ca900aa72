import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { createLog } from "#foundation/log/log.js";
import { isChild, Retirement, stoppedByParent } from "#runtime/processes/child.js";
import { type Config, variableNames } from "#runtime/settings/config.js";
import { retiredSettings, unknownSettings } from "#runtime/settings/unknown-settings.js";
import type { App, EmbeddedRole } from "../app.js";
import type { Listening } from "../listen.js";
import { tuneGarbageCollection } from "./garbage-collection.js";
import { Interruption, interruptSignal } from "./interrupt-signal.js";

export interface Run {
  /** Never resolves. Rejects with a Problem if the work ends before it is stopped. */
  readonly ended?: Promise<never> | undefined;
  /** Leaves new connections to another process, and waits for the current calls. */
  readonly retire?: (() => Promise<void>) | undefined;
  /** Starts the reload that SIGHUP requests; undefined if nothing can be reloaded. */
  readonly reload?: (() => void) | undefined;
}

/**
 * Runs until a signal or the parent of `serve --processes` stops it. Fails if the embedded database is lost, or if what
 * `start` returns ends early.
 * @param embedded as for `openApp`
 * @param listen opens a port before anything else starts
 */
export async function untilStopped(
  config: Config,
  embedded: EmbeddedRole,
  start: (app: App, stopping: AbortSignal, listening: Listening | undefined) => Promise<Run>,
  listen?: (config: Config, log: Logger) => Promise<Listening>,
): Promise<void> {
  tuneGarbageCollection();
  const closed = new AbortController();
  const signals = [interruptSignal(), closed.signal, ...(isChild() ? [stoppedByParent()] : [])];
  const stopping = AbortSignal.any(signals);
  const stopped = new Promise<void>((stop) => {
    stopping.addEventListener("abort", () => stop());
  });
  const log = await createLog(config.logLevel);
  let run: Run | undefined;
  if (!isChild()) warnOfUnknownSettings(log);
  let isHangUpPending = false;
  const handleHangUp = () => {
    if (run?.reload) run.reload();
    else if (process.stdin.isTTY || process.stderr.isTTY)
      closed.abort(new Interruption("SIGHUP", "start it again"));
    else if (run) log.warn("SIGHUP ignored: this process can't reload; restart it instead");
    else isHangUpPending = true;
  };
  // By default, SIGHUP makes Node exit immediately. A terminal sends SIGHUP when it is closed, and a service manager
  // sends it to request a reload.
  if (!isChild()) process.on("SIGHUP", handleHangUp);
  let listening: Listening | undefined;
  let app: App | undefined;
  try {
    listening = await listen?.(config, log);
    const { openApp } = await import("../app.js"); // imported here to keep --help fast
    app = await openApp(config, log, embedded, listening?.url);
    run = await start(app, stopping, listening);
    if (isHangUpPending) handleHangUp();
    await Promise.race([stopped, app.lost, ...(run.ended ? [run.ended] : [])]);
  } catch (error) {
    // If the start was interrupted, the error is only a consequence, and the interruption is logged instead.
    if (!stopping.aborted) throw error;
  } finally {
    if (stopping.aborted) {
      log.info({ reason: stopping.reason.message }, "stopping");
      if (stopping.reason instanceof Retirement) await run?.retire?.();
      else {
        app?.readiness.markStopping();
        await sleep(config.shutdownDelay * 1000);
      }
    }
    await app?.close();
    await listening?.http.close(0); // nothing else closes it if the start has failed
  }
}

/** Warns of misspelt settings. Otherwise, the service would silently use their defaults. */
function warnOfUnknownSettings(log: Logger): void {
  for (const setting of unknownSettings(process.env, variableNames)) log.warn(setting, "setting is unknown");
  for (const setting of retiredSettings(process.env)) log.warn(setting, "setting no longer has any effect");
}
