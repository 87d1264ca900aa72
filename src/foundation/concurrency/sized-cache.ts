/**
 * Creates a cache for results whose total size is limited. Concurrent callers with the same key share one call of
 * `read`. Failures are not cached. When the results exceed the limit, the cache is cleared.
 */
export function createSizedCache<T>(
  limit: number,
  sizeOf: (result: T) => number,
): (key: string, read: () => Promise<T>) => Promise<T> {
  const readings = new Map<string, Promise<T>>();
  let total = 0;
  return (key, read) => {
    const cached = readings.get(key);
    if (cached) return cached;
    const reading = read();
    readings.set(key, reading);
    reading.then(
      (result) => {
        if (readings.get(key) !== reading) return; // the cache was cleared meanwhile
        total += sizeOf(result);
        if (total <= limit) return;
        readings.clear();
        total = 0;
      },
      () => {
        if (readings.get(key) === reading) readings.delete(key);
      },
    );
    return reading;
  };
}
