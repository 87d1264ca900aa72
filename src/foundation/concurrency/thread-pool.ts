import { type ResourceLimits, type TransferListItem, Worker } from "node:worker_threads";
import { Problem, type ProblemOptions } from "../errors.js";
import { processorTimeOf, type ReadyThread } from "./thread-processor-time.js";

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
  /** Withdraws a task that waits. One that is in progress is finished, and its outcome dropped. */
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
  /**
   * Processor time for one task, in seconds, where the system tells it. The message with which the thread is ready must
   * be that of `readyThread`.
   */
  readonly processorLimit?: number;
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
  const ready = new WeakMap<Worker, unknown>();
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
        // Late on a busy machine; no task is at fault, as none has started.
        const { startLimitMs: limitMs = START_LIMIT_MS } = options;
        const late: ProblemOptions = { outage: "processor" };
        ready.set(worker, await answerOf(worker, { limitMs, subject: "The start of a thread", late }));
      }
      worker.postMessage(job.task, job.transfer);
      const { timeLimitMs: limitMs, subject, processorLimit } = options;
      const { thread = 0 } = (ready.get(worker) ?? {}) as Partial<ReadyThread>;
      job.resolve(await answerOf<Outcome>(worker, { limitMs, subject, processorLimit, thread }));
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
          const index = waiting.indexOf(job);
          if (index >= 0) waiting.splice(index, 1);
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

/** The task itself was too much for the thread: it took too much processor time, or ended the thread. */
export class TaskTooLarge extends Problem {}

interface Limits {
  readonly limitMs: number;
  readonly subject: string;
  /** What a problem states if it takes too long. */
  readonly late?: ProblemOptions;
  readonly processorLimit?: number | undefined;
  /** Number of the thread for the system; 0: unknown. */
  readonly thread?: number;
}

const WATCH_MS = 100;

function answerOf<Outcome>(
  worker: Worker,
  { limitMs, subject, late, processorLimit = Number.POSITIVE_INFINITY, thread = 0 }: Limits,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const before = processorTimeOf(thread);
    const Fault = late ? Problem : TaskTooLarge;
    const fail = (message: string, options?: ProblemOptions) =>
      settle(() => reject(new Fault("unavailable", message, options)));
    const onMessage = (outcome: Outcome) => settle(() => resolve(outcome));
    const onError = (cause: Error) => fail(`${subject} ended its thread: ${cause.message}`, { cause });
    const onExit = () => fail(`${subject} ended its thread.`);
    const timer = setTimeout(
      () =>
        settle(() =>
          reject(new Problem("unavailable", `${subject} took more than ${limitMs / 1000} s.`, late)),
        ),
      limitMs,
    );
    const watch =
      thread === 0 || processorLimit === Number.POSITIVE_INFINITY
        ? undefined
        : setInterval(() => {
            if (processorTimeOf(thread) - before > processorLimit)
              fail(`${subject} took more than ${processorLimit} s of processor time.`);
          }, WATCH_MS);
    const settle = (then: () => void) => {
      clearTimeout(timer);
      clearInterval(watch);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      then();
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}
