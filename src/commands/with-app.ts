import type { App } from "../app.js";
import { createLog } from "../log/log.js";
import { readConfig } from "../settings/config.js";
import { interruptSignal } from "./interrupt-signal.js";
import { tellWhere } from "./tell-where.js";

/**
 * Runs a command on the database that the settings name, or beside a service that runs on embedded defaults.
 * @param advice what whoever interrupts it may do next
 * @throws Interruption when a signal has ended it
 */
export async function withApp(
  work: (app: App, signal: AbortSignal) => Promise<void>,
  advice?: string,
): Promise<void> {
  const config = readConfig(process.env);
  const { openApp } = await import("../app.js"); // the help does not wait for all that commands work with
  await tellWhere(config);
  const app = await openApp(config, await createLog(config.logLevel), "attach");
  const signal = interruptSignal(advice);
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  try {
    // It may be waiting for something that does not listen to the signal, such as standard input.
    await Promise.race([work(app, signal), interrupted]);
  } catch (error) {
    // What it was doing fails in a way of its own when it is cut short.
    throw signal.aborted ? signal.reason : error;
  } finally {
    await app.close();
  }
}
