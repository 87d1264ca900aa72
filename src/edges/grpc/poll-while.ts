/**
 * Returns a function that starts polling: `look` is called repeatedly until it returns false. Starting again before
 * that has no effect. The timers don't keep the process running.
 * @param everyMs interval in milliseconds
 */
export function pollWhile(everyMs: number, look: () => boolean): () => void {
  let isLooking = false;
  const lookAgain = () => {
    isLooking = look();
    if (isLooking) setTimeout(lookAgain, everyMs).unref();
  };
  return () => {
    if (isLooking) return;
    isLooking = true;
    setTimeout(lookAgain, everyMs).unref();
  };
}
