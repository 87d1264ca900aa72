import DataLoader from "dataloader";
import { Cancellation } from "../concurrency/cancellation.js";
import type { Pool } from "./database.js";
import { type BorrowedConnection, withConnection } from "./query.js";

/** Finds the answer to a question, as long as somebody waits for it. */
export type LookUp<Question, Answer> = (question: Question, cancellation: Cancellation) => Promise<Answer>;

/** With more at once, batches stay small, and Postgres has as much to do as without them. */
const MAX_BATCHES_IN_FLIGHT = 2;

interface Asked<Question> {
  readonly question: Question;
  readonly cancellation: Cancellation;
}

/**
 * Answers questions that arrive together on one connection: several times as many a second as one by one, and nothing is
 * remembered, so that an answer is as fresh as the database.
 *
 * A batch begins once what has already arrived is read, and an earlier one is back: those that wait fill up meanwhile.
 * @param answer gives the answers in the order of the questions; it may be called again, as for `withConnection`
 */
export function createBatchLoader<Question, Answer>(
  pool: Pool,
  maxBatchSize: number,
  answer: (connection: BorrowedConnection, questions: Question[]) => Promise<Answer[]>,
): LookUp<Question, Answer> {
  const waiting: (() => void)[] = [];
  let underWay = 0;

  function beginWaiting(): void {
    while (underWay < MAX_BATCHES_IN_FLIGHT && waiting.length > 0) waiting.shift()?.();
  }

  async function answerBatch(asked: readonly Asked<Question>[]): Promise<Answer[]> {
    const questions = asked.map(({ question }) => question);
    underWay++;
    try {
      return await withConnection(pool, whenAllCancelled(asked), (connection) =>
        answer(connection, questions),
      );
    } finally {
      underWay--;
      beginWaiting();
    }
  }

  const loader = new DataLoader<Asked<Question>, Answer>(answerBatch, {
    cache: false,
    maxBatchSize,
    batchScheduleFn(begin) {
      waiting.push(begin);
      setImmediate(beginWaiting);
    },
  });
  return (question, cancellation) => loader.load({ question, cancellation });
}

/** A batch goes on as long as anybody waits for it. */
function whenAllCancelled(asked: readonly { readonly cancellation: Cancellation }[]): AbortSignal {
  const all = new Cancellation();
  let waiting = asked.length;
  for (const { cancellation } of asked) {
    cancellation.onCancel(() => {
      waiting--;
      if (waiting === 0) all.cancel(cancellation.reason);
    });
  }
  return all.signal;
}
