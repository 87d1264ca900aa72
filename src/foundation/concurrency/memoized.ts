/**
 * Caches the results of a function. Concurrent calls share one result. Failures are not cached.
 * @param options.keyOf returns the key under which a result is cached; default: the first argument
 * @param options.limit maximum number of cached results; the oldest result is removed first
 */
export function memoized<Args extends readonly unknown[], T>(
  read: (...args: Args) => Promise<T>,
  {
    keyOf = (...args) => args[0],
    limit = Number.POSITIVE_INFINITY,
  }: { readonly keyOf?: (...args: Args) => unknown; readonly limit?: number } = {},
): (...args: Args) => Promise<T> {
  const results = new Map<unknown, Promise<T>>();
  return (...args) => {
    const key = keyOf(...args);
    const cached = results.get(key);
    if (cached) return cached;
    const result = read(...args);
    results.set(key, result);
    result.catch(() => {
      if (results.get(key) === result) results.delete(key);
    });
    const [oldest] = results.keys();
    if (results.size > limit) results.delete(oldest);
    return result;
  };
}
