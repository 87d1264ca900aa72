import { once } from "node:events";
import {
  excessOf,
  excessRefusal,
  failureOf,
  type InspectionChild,
  type ProcessLimits,
  startInspectionChild,
} from "./inspection-child.js";
import type { InspectionVerdict, RunInspection } from "./run-inspection.js";

/** Processor time and number of documents after which a process ends itself. */
interface Lifetime {
  readonly seconds: number;
  readonly documents: number;
}

const DEFAULT_LIFETIME: Lifetime = { seconds: 60, documents: 1_000 };

const IDLE_MS = 10_000;

const MAX_STDERR_LENGTH = 4_000;

/** With `isLast`, the process accepts no further documents. */
type ProcessMessage = InspectionVerdict & { readonly isLast?: true };

/**
 * Inspects documents one at a time in a process that is used for many documents, because starting a process takes a
 * hundred times as long as reading a document. A process that exceeds a limit or crashes is replaced.
 */
export function createDocumentInspection(life: Lifetime = DEFAULT_LIFETIME): RunInspection {
  let current: DocumentProcess | undefined;

  return async (bytes, limits, signal) => {
    for (;;) {
      signal.throwIfAborted();
      if (!current?.isFit(limits)) current = new DocumentProcess(limits, life);
      const isFresh = current.isFresh;
      const outcome = await current.inspect(bytes, signal);
      if ("verdict" in outcome) return outcome.verdict;
      current = undefined;
      // Earlier documents may have caused the failure, so this document is retried in a new process.
      if (!isFresh) continue;
      if (outcome.excess === undefined) throw outcome.failure;
      return { refusal: excessRefusal(outcome.excess) };
    }
  };
}

type Outcome =
  | { readonly verdict: InspectionVerdict }
  | { readonly excess: string | undefined; readonly failure: Error };

class DocumentProcess {
  readonly #child: InspectionChild;
  readonly #limits: ProcessLimits;
  readonly #ended: Promise<undefined>;
  #complaint = "";
  #received = "";
  #onMessage: ((message: ProcessMessage) => void) | undefined;
  #isOver = false;
  #idle: NodeJS.Timeout | undefined;
  isFresh = true;

  constructor(limits: ProcessLimits, life: Lifetime) {
    this.#limits = limits;
    const { seconds, memoryMb } = limits;
    const most = { seconds: Math.ceil(life.seconds + 2 * seconds), memoryMb };
    const message = [seconds, life.seconds, life.documents].map(String);
    this.#child = startInspectionChild(most, "documents", ...message);
    const over = () => {
      this.#isOver = true;
    };
    this.#child.process.once("exit", over);
    // `once` rejects if the process can't be started.
    this.#ended = once(this.#child.process, "close").then(() => undefined);
    this.#ended.catch(over);
    this.#child.complaints.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-MAX_STDERR_LENGTH);
    });
    this.#child.output.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
  }

  isFit(limits: ProcessLimits): boolean {
    return !this.#isOver && limits === this.#limits;
  }

  /** If the signal aborts, the process is killed. @throws the signal's reason */
  async inspect(bytes: Uint8Array, signal: AbortSignal): Promise<Outcome> {
    const { process: child, input } = this.#child;
    this.#hold(true);
    this.isFresh = false;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#kill();
    }, this.#limits.waitMs);
    const kill = () => this.#kill();
    signal.addEventListener("abort", kill, { once: true });
    try {
      const message = new Promise<ProcessMessage>((resolve) => {
        this.#onMessage = resolve;
      });
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      input.write(length);
      input.write(bytes);
      const first = await Promise.race([message, this.#ended]);
      if (signal.aborted) await this.#ended;
      signal.throwIfAborted();
      if (first === undefined) {
        const excess = excessOf(child, this.#complaint, isLate, this.#limits);
        return { excess, failure: failureOf(child, this.#complaint) };
      }
      const { isLast = false, ...verdict } = first;
      if (isLast) this.#isOver = true;
      return { verdict };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", kill);
      this.#onMessage = undefined;
      this.#hold(false);
    }
  }

  #hear(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf("\n");
    if (end < 0) return;
    const line = this.#received.slice(0, end);
    this.#received = this.#received.slice(end + 1);
    this.#onMessage?.(JSON.parse(line) as ProcessMessage);
  }

  /**
   * Sets whether the child keeps this process alive. An idle child doesn't. When this process ends, the input of the
   * idle child is closed, so the child ends, too.
   */
  #hold(isHeld: boolean): void {
    const { process: child, input, output, complaints } = this.#child;
    clearTimeout(this.#idle);
    const handles = [child, input, output, complaints] as unknown as { ref(): void; unref(): void }[];
    for (const handle of handles) isHeld ? handle.ref() : handle.unref();
    if (!isHeld) this.#idle = setTimeout(() => this.#kill(), IDLE_MS).unref();
  }

  #kill(): void {
    this.#isOver = true;
    this.#child.process.kill("SIGKILL");
  }
}
