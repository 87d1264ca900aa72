import { createLog } from "#foundation/log/log.js";
import { readConfig } from "#runtime/settings/config.js";
import type { App } from "../app.js";
import { interruptSignal } from "./interrupt-signal.js";
import { logDataLocation } from "./log-data-location.js";

/**
 * Runs a command on the configured database, or on the embedded database, even if no service is running.
 * @param advice what the user can do after an interruption
 * @throws Interruption if a signal has ended the command
 */
export async function withApp(
  work: (app: App, signal: AbortSignal) => Promise<void>,
  advice?: string,
): Promise<void> {
  const config = readConfig(process.env);
  const { openApp } = await import("../app.js"); // imported here to keep --help fast
  await logDataLocation(config);
  const app = await openApp(config, await createLog(config.logLevel), "attach");
  const signal = interruptSignal(advice);
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  try {
    // The command may wait for something that ignores the signal, for example standard input.
    await Promise.race([work(app, signal), interrupted]);
  } catch (error) {
    // If the command was interrupted, its error is only a consequence, and the interruption is reported instead.
    throw signal.aborted ? signal.reason : error;
  } finally {
    await app.close();
  }
}
