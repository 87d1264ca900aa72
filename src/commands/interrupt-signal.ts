import { constants } from "node:os";

/** Why something ended early: the user or the system sent this signal. */
export class Interruption extends Error {
  override readonly name = "Interruption";

  /** @param advice what the user may do next */
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

/** npm, and others who start programs, pass on a signal that the whole process group has got, in this time. */
const REPETITION_MS = 100;
/** On a busy machine npm takes longer. It says that it is npm, and of each signal there are two: a third is a new one. */
const REPETITION_BY_NPM_MS = 1000;

/** A signal that aborts, with an `Interruption`, on SIGINT and SIGTERM; another one ends the process at once. */
export function interruptSignal(advice = "run it again to carry on"): AbortSignal {
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
