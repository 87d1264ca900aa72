import { createStore } from "./store.js";

/** Whether the service can't be reached. Then a banner says so, and calls wait. */
export const isAway = createStore(false);

/** Whether calls are refused because nobody is signed in. */
export const isSignedOut = createStore(false);

const RETRY_MS = 2000;
let isWaiting = false;

/**
 * Notes that a call did not reach the service, and asks until it is back.
 * @param onReturn called once when it is back
 */
export function noteAway(onReturn: () => void): void {
  isAway.set(true);
  if (isWaiting) return;
  isWaiting = true;
  const ask = async () => {
    const isBack = await fetch("/readyz", { cache: "no-store" }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (!isBack) return void setTimeout(ask, RETRY_MS);
    isWaiting = false;
    isAway.set(false);
    onReturn();
  };
  setTimeout(ask, RETRY_MS);
}
