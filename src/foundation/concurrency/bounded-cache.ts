/** Creates a cache. When the cache contains `limit` values, it is cleared before another value is added. */
export function createBoundedCache<T, K = string>(limit: number): (key: K, make: () => T) => T {
  const entries = new Map<K, T>();
  return (key, make) => {
    const cached = entries.get(key);
    if (cached !== undefined) return cached;
    const made = make();
    if (entries.size >= limit) entries.clear();
    entries.set(key, made);
    return made;
  };
}
