import { type App, openApp } from "../app.js";
import { readConfig } from "../config.js";
import { createLog } from "../log.js";

/** Runs a command on the database that the settings name, or beside a service that runs on embedded defaults. */
export async function withApp(work: (app: App) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const app = await openApp(config, createLog(config.logLevel), "attach");
  try {
    await work(app);
  } finally {
    await app.close();
  }
}

/** A signal that aborts when the user interrupts the command. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  return controller.signal;
}
