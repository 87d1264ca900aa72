import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { CharacterRanges } from "#formats/rendering/generator.js";
import type { AssetKind } from "../asset.js";
import {
  excessOf,
  excessRefusal,
  failureOf,
  type ProcessLimits,
  startInspectionChild,
} from "./inspection-child.js";

export interface Inspected {
  readonly kind: AssetKind;
  readonly characters?: CharacterRanges;
}

/** A refusal is addressed to the person who uploads. */
export type InspectionVerdict = Inspected | { readonly refusal: string };

/** Inspects an upload, whose size the caller must limit. */
export type RunInspection = (
  bytes: Uint8Array,
  limits: ProcessLimits,
  signal: AbortSignal,
) => Promise<InspectionVerdict>;

/**
 * Inspects an asset in a separate process.
 * @throws the signal's reason if the signal aborts; Error if the process fails for a reason other than the uploaded
 * file
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
    if (verdict !== "") return JSON.parse(verdict) as InspectionVerdict;
    const excess = excessOf(child, complaint, isLate, limits);
    if (excess !== undefined) return { refusal: excessRefusal(excess) };
    throw failureOf(child, complaint);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
};
