import type { Database } from "./database.js";

/** What a connection of the pool tells of its backend. */
export interface Backend {
  readonly processID: number;
}

/** A cancellation that arrives between two statements hits neither: it is asked for again, in milliseconds. */
const AGAIN_MS = 50;

/**
 * Runs `work`, whose statements run on `backend`. When the signal aborts, Postgres is asked to cancel the statement that
 * is running, and those that follow it: nothing goes on behind the back of a caller that has stopped waiting.
 *
 * It settles only when a cancellation under way has arrived: it would hit the next statement on that connection.
 */
export async function cancelledWith<T>(
  database: Database,
  signal: AbortSignal,
  backend: Backend,
  work: () => Promise<T>,
): Promise<T> {
  let cancelling: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;
  const cancel = () => {
    cancelling = database
      .cancel(backend.processID)
      .catch(() => {}) // the statement timeout remains
      .then(() => {
        again = setTimeout(cancel, AGAIN_MS);
      });
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const result = await work();
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener("abort", cancel);
    await cancelling;
    clearTimeout(again);
  }
}
