import { setTimeout } from "node:timers/promises";

/** Returns whether the promise resolves or rejects within the time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, setTimeout(ms, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
