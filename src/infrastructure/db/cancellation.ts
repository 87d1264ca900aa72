import type { Connection } from "./connection.js";

/** A cancellation that arrives between two statements has no effect, so it is repeated at this interval. */
const RETRY_MS = 50;

/** A connection that has not reacted to a cancellation after this time is treated as dead. */
const GRACE_MS = 2_000;

/**
 * Cancels the connection's statements when the signal aborts. A connection that does not react is destroyed.
 * @returns a function that stops listening to the signal. Its promise resolves after a pending cancellation has
 *   arrived, because the cancellation could otherwise hit the next statement
 */
export function cancelWhenAborted(
  signal: AbortSignal,
  connection: Pick<Connection, "cancelStatement" | "giveUp">,
): () => Promise<void> {
  let cancelling: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let graceTimer: NodeJS.Timeout | undefined;
  const cancel = () => {
    cancelling = connection.cancelStatement().then(() => {
      retryTimer = setTimeout(cancel, RETRY_MS);
    });
  };
  const onAbort = () => {
    graceTimer = setTimeout(() => connection.giveUp(), GRACE_MS);
    cancel();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return async () => {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(graceTimer);
    await cancelling;
    clearTimeout(retryTimer);
  };
}
