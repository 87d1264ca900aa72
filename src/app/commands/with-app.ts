import { createLog } from "#foundation/log/log.js";
import { readConfig } from "#runtime/settings/config.js";
import type { App } from "../app.js";
import { interruptSignal } from "./interrupt-signal.js";
import { logDataLocation } from "./log-data-location.js";

/**
 * Runs a command on the configured database, or beside a service that runs on embedded defaults.
 * @param advice what the user can do after an interruption
 * @throws Interruption if a signal has ended it
 */
export async function withApp(
  work: (app: App, signal: AbortSignal) => Promise<void>,
  advice?: string,
): Promise<void> {
  const config = readConfig(process.env);
  const { openApp } = await import("../app.js"); // imported here, so that --help stays fast
  await logDataLocation(config);
  const app = await openApp(config, await createLog(config.logLevel), "attach");
  const signal = interruptSignal(advice);
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  try {
    // The command may be waiting for something that ignores the signal, for example standard input.
    await Promise.race([work(app, signal), interrupted]);
  } catch (error) {
    // An interrupted command fails with its own error, but the interruption is the reason to report.
    throw signal.aborted ? signal.reason : error;
  } finally {
    await app.close();
  }
}
