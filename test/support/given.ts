import { afterAll, beforeAll, beforeEach } from "vitest";

/**
 * Provides what `open` returns. It is opened before the tests of this file or of a `describe`, and closed with `close`
 * after them. It must be a plain object.
 */
export function given<T extends object>(
  open: () => Promise<T>,
  close: (it: T) => unknown,
  timeoutMs?: number,
): T {
  const it = {} as T;
  let isOpen = false;
  beforeAll(async () => {
    Object.assign(it, await open());
    isOpen = true;
  }, timeoutMs);
  afterAll(() => isOpen && close(it));
  return it;
}

/** Like `given`, but opens and closes separately for each test. Closes after the test's `afterEach`. */
export function givenEach<T extends object>(open: () => Promise<T>, close: (it: T) => unknown): T {
  const it = {} as T;
  beforeEach(async () => {
    Object.assign(it, await open());
    return async () => void (await close(it));
  });
  return it;
}
