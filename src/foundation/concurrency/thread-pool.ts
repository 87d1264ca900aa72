import { type ResourceLimits, type TransferListItem, Worker } from "node:worker_threads";
import { Problem, type ProblemOptions } from "../errors.js";
import { processorTimeOf, type ReadyThread } from "./thread-processor-time.js";

/** Runs tasks in worker threads, each of which runs one task at a time. */
interface ThreadPool<Task, Outcome> {
  /** @throws Problem `unavailable` if the thread dies or the task takes too long; the signal's reason if it aborts */
  run(task: Task, how?: HowToRun): Promise<Outcome>;
  /** Refuses new tasks, waits for running and queued tasks, then ends the threads. */
  close(): Promise<void>;
}

interface HowToRun {
  /** Buffers to transfer to the thread; other buffers are copied. */
  readonly transfer?: readonly TransferListItem[];
  /** Removes the task from the queue when it aborts. If the task is already running, its result is dropped. */
  readonly signal?: AbortSignal;
}

interface ThreadPoolOptions {
  /** URL of the threads' module. A thread sends one message when it is ready, then one response to each message. */
  readonly module: URL;
  readonly workerData: unknown;
  readonly threads: number;
  /** Subject of error messages, capitalised: "The document". */
  readonly subject: string;
  /** Time limit of a task in milliseconds, excluding the wait for a thread and the start of the thread. */
  readonly timeLimitMs: number;
  /**
   * Maximum processor time of a task in seconds, on systems that report it. Threads must send the result of
   * `readyThread` when they are ready.
   */
  readonly processorLimit?: number;
  readonly resourceLimits: ResourceLimits;
  /** Time limit for the start of a thread in milliseconds. Default: a minute */
  readonly startLimitMs?: number;
}

interface Job<Task, Outcome> {
  readonly task: Task;
  readonly transfer: readonly TransferListItem[];
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

const START_LIMIT_MS = 60_000;

/** If a thread dies, only its task fails; a new thread replaces it when there is work. */
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
    // Without a listener, an error would end the process. If a task is running, the error is also reported to the task.
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
        // A thread that starts too late is due to a busy machine, because no task is running yet.
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
      const outcome = queueJob(waiting, task, transfer, signal);
      next();
      return outcome;
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

/** Adds a job to the queue. Removes it if the signal aborts while it is waiting. */
function queueJob<Task, Outcome>(
  waiting: Job<Task, Outcome>[],
  task: Task,
  transfer: readonly TransferListItem[],
  signal: AbortSignal | undefined,
): Promise<Outcome> {
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
  });
}

/** A task used too much processor time, or made its thread die. */
export class TaskTooLarge extends Problem {}

interface Limits {
  readonly limitMs: number;
  readonly subject: string;
  /** Options of the problem that is thrown on timeout. */
  readonly late?: ProblemOptions;
  readonly processorLimit?: number | undefined;
  /** The operating system's id of the thread; 0 if unknown. */
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
    const onError = (cause: Error) => fail(`${subject} made its thread fail: ${cause.message}`, { cause });
    const onExit = () => fail(`${subject} made its thread end.`);
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
