import DataLoader from "dataloader";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import type { Pool } from "./database.js";
import { type BorrowedConnection, withConnection } from "./query.js";

/** Runs reads on a borrowed connection, and may do so again. When the signal aborts, the statement is cancelled. */
export type ReadOn = <T>(
  signal: AbortSignal,
  work: (connection: BorrowedConnection) => Promise<T>,
) => Promise<T>;

/** Reads as `withConnection` does. */
export function onPool(pool: Pool): ReadOn {
  return (signal, work) => withConnection(pool, signal, work);
}

/** Looks up the answer to a question. The look-up is cancelled when nobody waits for it any more. */
export type LookUp<Question, Answer> = (question: Question, cancellation: Cancellation) => Promise<Answer>;

/** With more at once, batches stay small, and Postgres has as much to do as without them. */
const MAX_BATCHES_IN_FLIGHT = 2;

interface PendingQuestion<Question> {
  readonly question: Question;
  readonly cancellation: Cancellation;
}

/**
 * Answers questions that arrive together in one statement on one connection. That serves several times as
 * many per second as one by one. Nothing is cached, so an answer is as fresh as the database.
 *
 * A batch starts once everything that has arrived is read, and an earlier batch is back. Waiting batches fill
 * up meanwhile.
 * @param source the pool to read from, or what chooses the connection of each batch
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

/** Aborts when nobody waits for the batch any more. */
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
