import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Resource limits for the inspection of an upload. */
export interface ProcessLimits {
  /** Processor time. */
  readonly seconds: number;
  /** Elapsed time: a busy machine may give the process little processor time. */
  readonly waitMs: number;
  /** Size of the JavaScript heap. */
  readonly memoryMb: number;
}

/**
 * A process that inspects. It reads uploads from its standard input and writes verdicts to file descriptor 3.
 */
export interface InspectionChild {
  readonly process: ChildProcess;
  readonly input: Duplex;
  readonly output: Readable;
  readonly complaints: Readable;
}

const entry = new URL(`inspection-process${import.meta.url.slice(-3)}`, import.meta.url);

/** Loads the TypeScript compiler when the process runs from sources: under tsx and in tests. */
const loader = entry.href.endsWith(".ts")
  ? ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href]
  : [];

/**
 * The operating system limits the processor time, even if this process has ended. Running out of memory writes no core
 * dump.
 */
const LIMITED = 'ulimit -c 0; ulimit -S -t "$1"; shift; exec "$@"';

/**
 * Starts a process without this process's environment, which contains secrets.
 * @param seconds limit of processor time, enforced by the operating system
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
  const child = spawn("/bin/sh", ["-c", LIMITED, "sh", String(seconds), ...node], {
    env: {},
    stdio: ["pipe", "ignore", "pipe", "pipe"],
  });
  const [input, , complaints, output] = child.stdio;
  input?.on("error", () => {}); // the process ended before it had read all input
  return {
    process: child,
    input: input as Duplex,
    output: output as Readable,
    complaints: complaints as Readable,
  };
}

/**
 * Determines whether a process that ended without a verdict exceeded a limit.
 * @param isLate true if it was killed for exceeding the elapsed time
 * @returns the exceeded limit, for example "5 seconds"; undefined if it ended for another reason
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

/** Returns the message about an upload that exceeds a limit. */
export function refusalOf(excess: string): string {
  return `Reading the file took more than ${excess}: upload a simpler one.`;
}

/** Returns the error to log if a process failed for a reason other than the upload. */
export function failureOf({ signalCode, exitCode }: ChildProcess, complaint: string): Error {
  return new Error(
    `the inspection of an upload ended with ${signalCode ?? exitCode}: ${complaint.slice(-2000)}`,
  );
}
