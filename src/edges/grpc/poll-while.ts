/**
 * Creates a function that starts calling `look` repeatedly until it returns false. Calling the function while that is
 * in progress has no effect. Its timers don't keep the process alive.
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
