import { createLimiter } from "#foundation/concurrency/limiter.js";
import { invalid } from "#foundation/errors.js";
import { createDocumentInspection } from "./document-inspection.js";
import type { ProcessLimits } from "./inspection-child.js";
import { type Inspected, type RunInspection, runInspection } from "./run-inspection.js";

/**
 * Determines the kind of an uploaded file by its content, and checks that it can be used.
 * @throws Problem `invalid` with a message that says what was found, and what to upload instead
 */
export type InspectAsset = (bytes: Uint8Array, signal: AbortSignal) => Promise<Inspected>;

/**
 * Checks that a document issued by another system has no active content, because verifiers will open it.
 * @throws Problem `invalid` naming what was found, and the remedy
 */
export type InspectDocument = (bytes: Uint8Array, signal: AbortSignal) => Promise<void>;

interface InspectionLimits extends ProcessLimits {
  /** In bytes. */
  readonly size: number;
  /** Maximum number of simultaneous inspections. Further inspections wait. */
  readonly concurrency: number;
}

const MIB = 1024 * 1024;

/**
 * Limits based on measured processor times: 1.5 s for a Chinese font of 14 MiB, 0.9 s for a PDF with images of 126 MiB,
 * and 0.1 to 1 s for other files. Including memory outside the heap, a process used at most 450 MiB.
 */
const defaults: InspectionLimits = {
  size: 20 * MIB,
  seconds: 5,
  waitMs: 30_000,
  memoryMb: 256,
  concurrency: 1,
};

/**
 * Creates an inspection that runs each asset in its own process. The process is killed if it takes too long, or if the
 * caller stops waiting.
 *
 * A worker thread would not suffice: on Node 20, an array or a map that grows past a thread's heap limit
 * (`resourceLimits`) aborts the whole process, because V8 has no room for a copy twice as large.
 */
export function createInspectAsset(limits: Partial<InspectionLimits> = {}): InspectAsset {
  return createInspection(runInspection, limits);
}

/**
 * Creates an inspection of documents. One process inspects many documents, because there may be a hundred thousand. As
 * measured, a document of 54 KB takes 4 ms of processor time, and starting a process takes 0.5 s.
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
    if (bytes.length === 0) throw invalid("The file is empty (0 bytes): upload another.");
    if (bytes.length > size) {
      throw invalid(`The file is ${inMib(bytes.length)} MiB: upload one of at most ${inMib(size)} MiB.`);
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
