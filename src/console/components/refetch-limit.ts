/**
 * Returns a function for `refetchInterval` that returns whether to refetch a query again. It counts from the update at
 * which the page began to wait. What the page waits for is undefined if it doesn't wait.
 * @param max how often the query is refetched in vain
 */
export function refetchLimit(max: number) {
  let lastAwaited: string | number | undefined;
  let first = 0;
  return (awaited: string | number | undefined, updateCount: number): boolean => {
    // An update after the last refetch has another cause, for example a change by the user, so waiting begins again.
    if (awaited !== lastAwaited || updateCount > first + max) [lastAwaited, first] = [awaited, updateCount];
    return awaited !== undefined && updateCount < first + max;
  };
}
