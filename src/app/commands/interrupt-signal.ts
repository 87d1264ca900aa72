import { constants } from "node:os";

/** The reason why a command ended early: a signal from the user or the system. */
export class Interruption extends Error {
  override readonly name = "Interruption";

  /** @param advice what the user can do next */
  constructor(
    readonly signal: NodeJS.Signals,
    readonly advice: string,
  ) {
    super(`interrupted by ${signal}`);
  }

  /** The exit code that a shell shows for a process ended by a signal. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}

/** npm and other parents forward a signal that the whole process group has received, within this time. */
const REPETITION_MS = 100;
/** On a busy machine npm takes longer. It sends each signal twice, so a third signal is a new one. */
const REPETITION_BY_NPM_MS = 1000;

/**
 * Returns an AbortSignal that SIGINT and SIGTERM abort with an `Interruption`. A second signal ends the
 * process at once.
 */
export function interruptSignal(advice = "run it again to continue"): AbortSignal {
  const controller = new AbortController();
  const isBelowNpm = process.env.npm_lifecycle_event !== undefined;
  let first = 0;
  let count = 0;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      const interruption = new Interruption(name, advice);
      count++;
      if (count === 1) first = performance.now();
      else {
        const elapsed = performance.now() - first;
        const isRepetition =
          elapsed < REPETITION_MS || (isBelowNpm && count === 2 && elapsed < REPETITION_BY_NPM_MS);
        if (!isRepetition) process.exit(interruption.exitCode);
      }
      controller.abort(interruption);
    });
  }
  return controller.signal;
}
