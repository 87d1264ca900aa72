import { constants } from "node:os";

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
