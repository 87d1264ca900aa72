/** Caches one value per key. When it holds `limit` values, it is emptied before the next one is added. */
export function createBoundedCache<T, K = string>(limit: number): (key: K, make: () => T) => T {
  const kept = new Map<K, T>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (kept.size >= limit) kept.clear();
    kept.set(key, made);
    return made;
  };
}
