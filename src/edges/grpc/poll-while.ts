/**
 * Returns a function that starts polling. It then calls `look` repeatedly until `look` returns false. Starting has no
 * effect while polling. The timers don't keep the process running.
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
