/**
 * Returns the result of the promise, or rejects after a timeout. Use it for promises that many callers share, so that a
 * promise that never settles doesn't block them.
 * @param ms timeout in milliseconds
 */
export async function withinTime<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
