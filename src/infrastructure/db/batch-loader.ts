import DataLoader from "dataloader";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { type BorrowedConnection, type Pool, withConnection } from "./query.js";

/** Runs a read on a borrowed connection, and retries it if needed. Aborting cancels the statement. */
export type ReadOn = <T>(
  signal: AbortSignal,
  work: (connection: BorrowedConnection) => Promise<T>,
) => Promise<T>;

export function onPool(pool: Pool): ReadOn {
  return (signal, work) => withConnection(pool, signal, work);
}

/** The look-up is cancelled when no caller waits for it any more. */
export type LookUp<Question, Answer> = (question: Question, cancellation: Cancellation) => Promise<Answer>;

/** With more concurrent batches, each would be smaller, and Postgres would have as much work as without batching. */
const MAX_BATCHES_IN_FLIGHT = 2;

interface PendingQuestion<Question> {
  readonly question: Question;
  readonly cancellation: Cancellation;
}

/**
 * SQL for an array parameter. The subquery hides the length of the array from the planner. Otherwise, Postgres would
 * make a new plan for each array of fewer than ten elements, the number that its reusable plan assumes. Planning takes
 * two to eight times as long as running such a statement.
 */
export function arrayOf(type: "text" | "uuid"): string {
  return `(select ?::${type}[])::${type}[]`;
}

/**
 * Creates a look-up that answers simultaneous questions in batches, with one statement on one connection. This
 * multiplies the number of answers per second. Nothing is cached.
 *
 * A batch starts when this process has read all requests that have arrived so far, and at most one other batch is
 * running. Until then, more questions can join the batch.
 * @param source the pool to read from, or a function that chooses the connection of each batch
 * @param answer returns the answers in the order of the questions; it may be retried, as in `withConnection`
 */
export function createBatchLoader<Question, Answer>(
  source: Pool | ReadOn,
  maxBatchSize: number,
  answer: (connection: BorrowedConnection, questions: Question[]) => Promise<Answer[]>,
): LookUp<Question, Answer> {
  const readOn = typeof source === "function" ? source : onPool(source);
  const waiting: (() => void)[] = [];
  let inProgress = 0;

  function beginWaiting(): void {
    while (inProgress < MAX_BATCHES_IN_FLIGHT && waiting.length > 0) waiting.shift()?.();
  }

  async function answerBatch(pending: readonly PendingQuestion<Question>[]): Promise<Answer[]> {
    const questions = pending.map(({ question }) => question);
    inProgress++;
    try {
      return await readOn(whenAllCancelled(pending), (connection) => answer(connection, questions));
    } finally {
      inProgress--;
      beginWaiting();
    }
  }

  const loader = new DataLoader<PendingQuestion<Question>, Answer>(answerBatch, {
    cache: false,
    maxBatchSize,
    batchScheduleFn(begin) {
      waiting.push(begin);
      setImmediate(beginWaiting);
    },
  });
  return (question, cancellation) => loader.load({ question, cancellation });
}

/** Returns a signal that aborts when no caller waits for the batch any more. */
function whenAllCancelled(pending: readonly { readonly cancellation: Cancellation }[]): AbortSignal {
  const all = new Cancellation();
  let waiting = pending.length;
  for (const { cancellation } of pending) {
    cancellation.onCancel(() => {
      waiting--;
      if (waiting === 0) all.cancel(cancellation.reason);
    });
  }
  return all.signal;
}
