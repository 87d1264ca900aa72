import { type ResourceLimits, type TransferListItem, Worker } from "node:worker_threads";
import { Problem, type ProblemOptions } from "../errors.js";

/** Runs tasks in worker threads, one at a time in each thread. */
export interface ThreadPool<Task, Outcome> {
  /** @throws Problem `unavailable` if the thread dies, or if the task takes too long; the reason of the signal */
  run(task: Task, how?: HowToRun): Promise<Outcome>;
  /** Refuses new tasks, waits for running and queued ones, then ends the threads. */
  close(): Promise<void>;
}

export interface HowToRun {
  /** Buffers of the task that the thread takes over; others are copied. */
  readonly transfer?: readonly TransferListItem[];
  /** Withdraws a task that waits. One that is under way is finished, and its outcome dropped. */
  readonly signal?: AbortSignal;
}

export interface ThreadPoolOptions {
  /** The module of a thread. It sends one message when it is ready, then answers each message with one. */
  readonly module: URL;
  readonly workerData: unknown;
  readonly threads: number;
  /** What a task is about, as a sentence begins with it: "The document". */
  readonly subject: string;
  /** For one task, without the time for which it waits for a thread or a thread's start. */
  readonly timeLimitMs: number;
  readonly resourceLimits: ResourceLimits;
  /** For the start of a thread. Default: a minute */
  readonly startLimitMs?: number;
}

interface Job<Task, Outcome> {
  readonly task: Task;
  readonly transfer: readonly TransferListItem[];
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

const START_LIMIT_MS = 60_000;

/**
 * Creates a pool. A thread that dies takes only its own task with it; a new thread replaces it when there is
 * work.
 */
export function createThreadPool<Task, Outcome>(options: ThreadPoolOptions): ThreadPool<Task, Outcome> {
  const waiting: Job<Task, Outcome>[] = [];
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const ready = new WeakSet<Worker>();
  let whenDone: (() => void) | undefined;

  function next(): void {
    while (waiting.length > 0) {
      const worker = idle.pop() ?? (all.size < options.threads ? start() : undefined);
      if (!worker) return;
      const job = waiting.shift();
      if (job) void perform(worker, job);
    }
    if (idle.length === all.size) whenDone?.();
  }

  function start(): Worker {
    const { workerData, resourceLimits } = options;
    const worker = new Worker(options.module, { workerData, resourceLimits });
    all.add(worker);
    // the job gets the error, if there is one; an idle thread is simply replaced
    worker.on("error", () => {});
    worker.once("exit", () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    worker.unref();
    return worker;
  }

  async function perform(worker: Worker, job: Job<Task, Outcome>): Promise<void> {
    worker.ref();
    try {
      if (!ready.has(worker)) {
        // Late on a busy machine; no task is at fault, as none has begun.
        const { startLimitMs = START_LIMIT_MS } = options;
        await answerOf(worker, startLimitMs, "The start of a thread", { outage: "processor" });
      }
      ready.add(worker);
      worker.postMessage(job.task, job.transfer);
      job.resolve(await answerOf<Outcome>(worker, options.timeLimitMs, options.subject));
      worker.unref();
      idle.push(worker);
    } catch (error) {
      job.reject(error);
      await worker.terminate();
    }
    next();
  }

  return {
    run(task, { transfer = [], signal } = {}) {
      if (whenDone) return Promise.reject(new Problem("unavailable", "The service is stopping."));
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const withdraw = () => {
          const place = waiting.indexOf(job);
          if (place >= 0) waiting.splice(place, 1);
          job.reject(signal?.reason);
        };
        const settle = () => signal?.removeEventListener("abort", withdraw);
        const job: Job<Task, Outcome> = {
          task,
          transfer,
          resolve(outcome) {
            settle();
            resolve(outcome);
          },
          reject(reason) {
            settle();
            reject(reason);
          },
        };
        signal?.addEventListener("abort", withdraw, { once: true });
        waiting.push(job);
        next();
      });
    },
    async close() {
      await new Promise<void>((resolve) => {
        whenDone = resolve;
        next();
      });
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** @param late what a problem states if it takes too long */
function answerOf<Outcome>(
  worker: Worker,
  timeLimitMs: number,
  subject: string,
  late: ProblemOptions = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const fail = (message: string, options?: ProblemOptions) =>
      settle(() => reject(new Problem("unavailable", message, options)));
    const onMessage = (outcome: Outcome) => settle(() => resolve(outcome));
    const onError = (cause: Error) => fail(`${subject} ended its thread: ${cause.message}`, { cause });
    const onExit = () => fail(`${subject} ended its thread.`);
    const timer = setTimeout(
      () => fail(`${subject} took more than ${timeLimitMs / 1000} s.`, late),
      timeLimitMs,
    );
    const settle = (then: () => void) => {
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      then();
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}
