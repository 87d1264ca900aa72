/**
 * Rejects if the promise takes too long. Otherwise, a promise that never settles would block all callers that share it.
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
