import type { Connection } from "./connection.js";

/** A cancellation between two statements has no effect, so it is repeated at this interval, in milliseconds. */
const AGAIN_MS = 50;

/**
 * Maximum time for a statement to react to its cancellation, in milliseconds. After that, the connection is considered
 * dead.
 */
const GRACE_MS = 2_000;

/**
 * Cancels the connection's current and following statements when the signal aborts, so that no work continues for a
 * caller that has stopped waiting. A connection that does not react is destroyed.
 * @returns a function that ends this. It resolves only after a pending cancellation has arrived, because that would hit
 * the next statement
 */
export function cancelWhenAborted(
  signal: AbortSignal,
  connection: Pick<Connection, "cancelStatement" | "giveUp">,
): () => Promise<void> {
  let cancelling: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;
  let grace: NodeJS.Timeout | undefined;
  const cancel = () => {
    cancelling = connection.cancelStatement().then(() => {
      again = setTimeout(cancel, AGAIN_MS);
    });
  };
  const onAbort = () => {
    grace = setTimeout(() => connection.giveUp(), GRACE_MS);
    cancel();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return async () => {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(grace);
    await cancelling;
    clearTimeout(again);
  };
}
