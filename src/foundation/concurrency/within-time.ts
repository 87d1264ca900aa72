/**
 * Returns what the promise resolves to, or rejects when the time is over: for promises that many wait for, so that one
 * which never settles holds up nobody for longer.
 * @param ms milliseconds
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
