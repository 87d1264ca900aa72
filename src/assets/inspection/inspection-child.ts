import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What the inspection of an upload may use. */
export interface ProcessLimits {
  /** Of the processor. */
  readonly seconds: number;
  /** By the clock: for a machine that is too busy to give it the processor. */
  readonly waitMs: number;
  /** Of the JavaScript heap. */
  readonly memoryMb: number;
}

/** A process that inspects. It reads uploads from its standard input and writes verdicts to descriptor 3. */
export interface InspectionChild {
  readonly process: ChildProcess;
  readonly input: Duplex;
  readonly output: Readable;
  readonly complaints: Readable;
}

const entry = new URL(`inspection-process${import.meta.url.slice(-3)}`, import.meta.url);

/** What the process needs to run our sources before they are compiled: under tsx and in tests. */
const loader = entry.href.endsWith(".ts")
  ? ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href]
  : [];

/** The system bounds the processor time, even when this process is gone by then. No core is dumped at the end of memory. */
const LIMITED = 'ulimit -c 0; ulimit -S -t "$1"; shift; exec "$@"';

/**
 * Starts a process with none of our environment, which holds secrets.
 * @param seconds of the processor that the system allows it
 * @param what it inspects, and what it is told about that
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
  input?.on("error", () => {}); // it ended before it had read all
  return {
    process: child,
    input: input as Duplex,
    output: output as Readable,
    complaints: complaints as Readable,
  };
}

/**
 * How a process ended that gave no verdict.
 * @param isLate whether it was ended for having taken too long by the clock
 * @returns what it has used too much of; undefined when it ended for another reason
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

/** What is told of an upload that is too much. */
export function refusalOf(excess: string): string {
  return `Reading the file took more than ${excess}: upload a simpler one.`;
}

/** What goes into the log of a process that ended for no fault of the upload. */
export function failureOf({ signalCode, exitCode }: ChildProcess, complaint: string): Error {
  return new Error(
    `the inspection of an upload ended with ${signalCode ?? exitCode}: ${complaint.slice(-2000)}`,
  );
}
