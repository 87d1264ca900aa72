import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CharacterRanges } from "../../rendering/generator.js";
import type { AssetKind } from "./asset.js";

/** What an upload is. */
export interface Inspected {
  readonly kind: AssetKind;
  /** Of a font. */
  readonly characters?: CharacterRanges;
}

/** What an inspection came to; a refusal is written for the person who uploads. */
export type Verdict = Inspected | { readonly refusal: string };

const entry = new URL(`inspection-process${import.meta.url.slice(-3)}`, import.meta.url);

/** What the process needs to run our sources before they are compiled: under tsx and in tests. */
const loader = entry.href.endsWith(".ts")
  ? ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href]
  : [];

/** What a process may use. */
export interface ProcessLimits {
  /** Of the processor. */
  readonly seconds: number;
  /** By the clock: for a machine that is too busy to give it the processor. */
  readonly waitMs: number;
  /** Of the JavaScript heap. */
  readonly memoryMb: number;
}

/** The system bounds the processor time, even when this process is gone by then. No core is dumped at the end of memory. */
const LIMITED = 'ulimit -c 0; ulimit -S -t "$1"; shift; exec "$@"';

/**
 * Runs one inspection in a process of its own, with none of our environment, which holds secrets. The process reads the
 * upload from its standard input and writes its verdict to descriptor 3.
 * @throws the signal's reason when it aborts, and Error when the process fails for a reason that is not the upload's
 */
export async function runInspection(
  what: "asset" | "document",
  bytes: Uint8Array,
  limits: ProcessLimits,
  signal: AbortSignal,
): Promise<Verdict> {
  signal.throwIfAborted();
  const node = [
    process.execPath,
    `--max-old-space-size=${limits.memoryMb}`,
    ...loader,
    fileURLToPath(entry),
    what,
  ];
  const child = spawn("/bin/sh", ["-c", LIMITED, "sh", String(limits.seconds), ...node], {
    env: {},
    stdio: ["pipe", "ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close"); // rejects when it can't be started
  const kill = () => child.kill("SIGKILL");
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limits.waitMs);
  signal.addEventListener("abort", kill, { once: true });
  try {
    const { input, verdict: output, complaint: errors } = pipesOf(child);
    input.on("error", () => {}); // it ended before it had read all
    input.end(bytes);
    const [verdict, complaint] = await Promise.all([text(output), text(errors), ended]);
    signal.throwIfAborted();
    if (verdict !== "") return JSON.parse(verdict) as Verdict;
    const excess = isLate ? `${limits.waitMs / 1000} seconds` : excessOf(child, complaint, limits);
    if (excess !== undefined)
      return { refusal: `Reading the file took more than ${excess}: upload a simpler one.` };
    const end = child.signalCode ?? child.exitCode;
    throw new Error(`the inspection of an upload ended with ${end}: ${complaint.slice(-2000)}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
}

/** The limit that the process went past; undefined when it ended for another reason. */
function excessOf(
  { signalCode }: ChildProcess,
  complaint: string,
  { seconds, memoryMb }: ProcessLimits,
): string | undefined {
  if (signalCode === "SIGXCPU") return `${seconds} seconds`;
  if (complaint.includes("heap out of memory")) return `${memoryMb} MiB of memory`;
  return undefined;
}

function pipesOf({ stdio }: ChildProcess): { input: Writable; verdict: Readable; complaint: Readable } {
  const [input, , complaint, verdict] = stdio;
  return { input: input as Writable, verdict: verdict as Readable, complaint: complaint as Readable };
}
