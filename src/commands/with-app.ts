import { constants } from "node:os";
import { type App, openApp } from "../app.js";
import { readConfig } from "../config.js";
import { createLog } from "../log.js";

/** Why something ended early: the user, or the system, has sent this signal. */
export class Interruption extends Error {
  override readonly name = "Interruption";

  /** @param advice what whoever has interrupted it may do next */
  constructor(
    readonly signal: NodeJS.Signals,
    readonly advice: string,
  ) {
    super(`interrupted by ${signal}`);
  }

  /** What a shell shows for a process that a signal has ended. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}

/** `npm` passes on a Ctrl-C that the whole process group has got: a repetition this soon is the same one. */
const REPETITION_MS = 1000;

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

/** A signal that aborts, with an `Interruption`, on SIGINT and SIGTERM; another one later ends the process at once. */
export function interruptSignal(advice = "run it again to carry on"): AbortSignal {
  const controller = new AbortController();
  let first: number | undefined;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      const interruption = new Interruption(name, advice);
      if (first !== undefined && Date.now() - first > REPETITION_MS) process.exit(interruption.exitCode);
      first ??= Date.now();
      controller.abort(interruption);
    });
  }
  return controller.signal;
}
