import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface ProcessLimits {
  /** Processor time in seconds. */
  readonly seconds: number;
  /**
   * Elapsed time in milliseconds. A busy machine may give the process so little processor time that only this limit
   * ends it.
   */
  readonly waitMs: number;
  /** Size of the JavaScript heap. */
  readonly memoryMb: number;
}

/** A process that reads uploads from its standard input and writes verdicts to file descriptor 3. */
export interface InspectionChild {
  readonly process: ChildProcess;
  readonly input: Duplex;
  readonly output: Readable;
  readonly complaints: Readable;
}

const entry = new URL(`inspection-process${import.meta.url.slice(-3)}`, import.meta.url);

/** Options that load the TypeScript compiler if the process runs from sources (under tsx and in tests). */
const loader = entry.href.endsWith(".ts")
  ? ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href]
  : [];

/**
 * Shell command that starts a program with a limit on its processor time. The operating system enforces the limit, even
 * after this process has ended. The command also switches off core dumps.
 */
const LIMIT_COMMAND = 'ulimit -c 0; ulimit -S -t "$1"; shift; exec "$@"';

/**
 * Starts an inspection process. It doesn't get the environment of this process, which contains secrets.
 * @param seconds limit of processor time
 * @param what the kind of inspection, and its arguments
 */
export function startInspectionChild(
  { memoryMb, seconds }: Pick<ProcessLimits, "memoryMb" | "seconds">,
  ...what: readonly string[]
): InspectionChild {
  const node = [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    ...loader,
    fileURLToPath(entry),
    ...what,
  ];
  const child = spawn("/bin/sh", ["-c", LIMIT_COMMAND, "sh", String(seconds), ...node], {
    env: {},
    stdio: ["pipe", "ignore", "pipe", "pipe"],
  });
  const [input, , complaints, output] = child.stdio;
  input?.on("error", () => {}); // the process may end before it has read all input
  return {
    process: child,
    input: input as Duplex,
    output: output as Readable,
    complaints: complaints as Readable,
  };
}

/**
 * Returns the limit that a process exceeded before it reached a verdict, for example "5 seconds". Returns `undefined`
 * if the process ended for another reason.
 * @param isLate whether the process was killed because it took longer than `waitMs`
 */
export function excessOf(
  { signalCode }: ChildProcess,
  complaint: string,
  isLate: boolean,
  { seconds, waitMs, memoryMb }: ProcessLimits,
): string | undefined {
  if (isLate) return `${waitMs / 1000} seconds`;
  if (signalCode === "SIGXCPU") return `${seconds} seconds`;
  if (complaint.includes("heap out of memory")) return `${memoryMb} MiB of memory`;
  return undefined;
}

export function excessRefusal(excess: string): string {
  return `Reading the file took more than ${excess}: upload a simpler one.`;
}

/** Returns the error to log if a process failed for a reason other than the uploaded file. */
export function failureOf({ signalCode, exitCode }: ChildProcess, complaint: string): Error {
  return new Error(
    `the inspection of an upload ended with ${signalCode ?? exitCode}: ${complaint.slice(-2000)}`,
  );
}
