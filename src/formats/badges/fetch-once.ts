/**
 * Fetches each document once, even if that fails, because the badges of a record share keys and status lists, and are
 * checked one after the other.
 */
export function fetchOnce<T>(fetch: (what: string) => Promise<T>): (what: string) => Promise<T> {
  const responses = new Map<string, Promise<T>>();
  return (what) => {
    const response = responses.get(what) ?? fetch(what);
    responses.set(what, response);
    return response;
  };
}
