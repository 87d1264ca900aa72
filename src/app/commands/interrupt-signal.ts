import { constants } from "node:os";

/** Thrown when a signal from the user or the system has ended a command early. */
export class Interruption extends Error {
  override readonly name = "Interruption";

  /** @param advice what the user can do next */
  constructor(
    readonly signal: NodeJS.Signals,
    readonly advice: string,
  ) {
    super(`interrupted by ${signal}`);
  }

  /** Returns the exit code that a shell reports for a process ended by this signal. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}

/**
 * npm and other parents forward signals that the whole process group has already received. A second signal within this
 * time is such a copy.
 */
const REPETITION_MS = 100;
/**
 * Like `REPETITION_MS`, for processes that npm started, because npm takes longer on a busy machine. npm sends each
 * signal only twice, so a third signal is a new one.
 */
const REPETITION_BY_NPM_MS = 1000;

/** Returns an AbortSignal that SIGINT and SIGTERM abort. A second SIGINT or SIGTERM ends the process immediately. */
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
