import type { Scope } from "./driver.js";

/** Courses of which facts are remembered. So many are read at a time, and more. */
const REMEMBERED = 64;

/** Returns what reads each course once while its pages are read, and again if that has failed. */
export function onceByCourse<T>(read: (scope: Scope) => Promise<T>): (scope: Scope) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (scope) => {
    const told = known.get(scope.contextKey);
    if (told) return told;
    const asked = read(scope);
    known.set(scope.contextKey, asked);
    asked.catch(() => known.delete(scope.contextKey));
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return asked;
  };
}
