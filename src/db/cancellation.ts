import type { Connection } from "./connection.js";

/** A cancellation that arrives between two statements hits neither: it is asked for again, in milliseconds. */
const AGAIN_MS = 50;

/** A connection whose statement goes on for longer after its cancellation does not hear us. */
const GRACE_MS = 2_000;

/**
 * From now on, when the signal aborts, the statement that is running on the connection is cancelled, and so are those that
 * follow it: nothing goes on behind the back of a caller that has stopped waiting. A connection that does not react is given up.
 * @returns what ends this. It settles only when a cancellation under way has arrived: it would hit the next statement
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
