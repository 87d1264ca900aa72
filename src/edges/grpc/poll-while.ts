/**
 * Creates a function that has `look` called after a while, and again and again while it returns true. Calling it
 * meanwhile changes nothing. It keeps no process alive.
 * @param everyMs in milliseconds
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
