import { afterAll, beforeAll, beforeEach } from "vitest";

/**
 * What `open` returns: it is there from before the tests of this file, or of a `describe`, until `close` after them.
 * It must be a plain object.
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

/** The same for each test alone: what `open` returns is closed after the test and its `afterEach`. */
export function givenEach<T extends object>(open: () => Promise<T>, close: (it: T) => unknown): T {
  const it = {} as T;
  beforeEach(async () => {
    Object.assign(it, await open());
    return async () => void (await close(it));
  });
  return it;
}
