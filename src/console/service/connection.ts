import { HOME } from "./home.js";
import { createStore } from "./store.js";

/** Whether the service is unreachable. If so, a banner says so, and calls wait. */
export const isAway = createStore(false);

/** Whether calls are rejected because nobody is signed in. */
export const isSignedOut = createStore(false);

const RETRY_MS = 2000;
/** Functions to call when the service is reachable again. */
const waiting = new Set<() => void>();

/**
 * Records that a call did not reach the service. Checks repeatedly until the service is reachable again.
 * @param onReturn called once when the service is reachable again
 */
export function reportUnreachable(onReturn: () => void): void {
  isAway.set(true);
  const isFirst = waiting.size === 0;
  waiting.add(onReturn);
  if (!isFirst) return;
  const check = async () => {
    const isBack = await fetch(`${HOME}../readyz`, { cache: "no-store" }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (!isBack) return void setTimeout(check, RETRY_MS);
    isAway.set(false);
    const todo = [...waiting];
    waiting.clear();
    for (const each of todo) each();
  };
  setTimeout(check, RETRY_MS);
}
