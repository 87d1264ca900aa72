import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { CharacterRanges } from "#formats/rendering/generator.js";
import type { AssetKind } from "../asset.js";
import {
  excessOf,
  failureOf,
  type ProcessLimits,
  refusalOf,
  startInspectionChild,
} from "./inspection-child.js";

/** The kind and properties of an upload. */
export interface Inspected {
  readonly kind: AssetKind;
  /** For fonts only. */
  readonly characters?: CharacterRanges;
}

/** The result of an inspection. A refusal is addressed to the person who uploads. */
export type Verdict = Inspected | { readonly refusal: string };

/** Inspects one upload, whose size the caller limits. */
export type RunInspection = (
  bytes: Uint8Array,
  limits: ProcessLimits,
  signal: AbortSignal,
) => Promise<Verdict>;

/**
 * Inspects an asset in a process of its own.
 * @throws the signal's reason if it aborts; Error if the process fails for a reason other than the upload
 */
export const runInspection: RunInspection = async (bytes, limits, signal) => {
  signal.throwIfAborted();
  const { process: child, input, output, complaints } = startInspectionChild(limits, "asset");
  const ended = once(child, "close"); // rejects if the process can't be started
  const kill = () => child.kill("SIGKILL");
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limits.waitMs);
  signal.addEventListener("abort", kill, { once: true });
  try {
    input.end(bytes);
    const [verdict, complaint] = await Promise.all([text(output), text(complaints), ended]);
    signal.throwIfAborted();
    if (verdict !== "") return JSON.parse(verdict) as Verdict;
    const excess = excessOf(child, complaint, isLate, limits);
    if (excess !== undefined) return { refusal: refusalOf(excess) };
    throw failureOf(child, complaint);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
};
