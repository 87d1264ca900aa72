import { createLimiter } from "../../concurrency/limiter.js";
import { invalid } from "../../errors.js";
import { createDocumentInspection } from "./document-inspection.js";
import type { ProcessLimits } from "./inspection-child.js";
import { type Inspected, type RunInspection, runInspection } from "./run-inspection.js";

/**
 * Tells what an upload is by its content, and that it can be used.
 * @throws Problem `invalid` with what was found, in words for the person who uploads, and what would be right
 */
export type InspectAsset = (bytes: Uint8Array, signal: AbortSignal) => Promise<Inspected>;

/**
 * Checks that a document that was issued elsewhere does nothing but show itself: whoever verifies it opens it.
 * @throws Problem `invalid` with what was found, and the remedy
 */
export type InspectDocument = (bytes: Uint8Array, signal: AbortSignal) => Promise<void>;

/** What inspections may cost. */
export interface InspectionLimits extends ProcessLimits {
  /** Of an upload, in bytes. */
  readonly size: number;
  /** Inspections at a time; the others wait. */
  readonly concurrency: number;
}

const MIB = 1024 * 1024;

/**
 * Measured: a Chinese font of 14 MiB takes 1.5 s of the processor, a PDF with images of 126 MiB 0.9 s, other files 0.1 to
 * 1 s. With what lies outside the heap, a process came to 450 MiB at most.
 */
const defaults: InspectionLimits = {
  size: 20 * MIB,
  seconds: 5,
  waitMs: 30_000,
  memoryMb: 256,
  concurrency: 1,
};

/**
 * Each inspection of an asset runs in a process of its own, which is killed when it takes too long or its caller stops waiting. A
 * worker thread would not do: measured on Node 20, an array or a map that grows past the heap limit of a thread
 * (`resourceLimits`) aborts the whole process, as V8 finds no room for the copy that is twice as large.
 */
export function createInspectAsset(limits: Partial<InspectionLimits> = {}): InspectAsset {
  return createInspection(runInspection, limits);
}

/**
 * The same for documents, of which there may be a hundred thousand: a process lasts for many of them. Measured: one of 54 KB
 * takes 4 ms of the processor, and the process 0.5 s to start.
 */
export function createInspectDocument(limits: Partial<InspectionLimits> = {}): InspectDocument {
  const inspect = createInspection(createDocumentInspection(), limits);
  return async (bytes, signal) => {
    await inspect(bytes, signal);
  };
}

function createInspection(run: RunInspection, limits: Partial<InspectionLimits>): InspectAsset {
  const { size, concurrency, ...processLimits } = { ...defaults, ...limits };
  const takeTurn = createLimiter(concurrency);

  return async (bytes, signal) => {
    if (bytes.length === 0) throw invalid("The file is empty: upload the file itself.");
    if (bytes.length > size) {
      throw invalid(`The file has ${inMib(bytes.length)} MiB: upload one of at most ${inMib(size)} MiB.`);
    }
    return takeTurn(signal, async () => {
      const verdict = await run(bytes, processLimits, signal);
      if ("refusal" in verdict) throw invalid(verdict.refusal);
      return verdict;
    });
  };
}

function inMib(bytes: number): string {
  return (Math.ceil((bytes / MIB) * 10) / 10).toString();
}
