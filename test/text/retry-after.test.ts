import { expect, test } from "vitest";
import { parseRetryAfter } from "#foundation/text/retry-after.js";

test.each([
  ["7", 7_000],
  [" 0 ", 0],
  ["86400", 86_400_000],
  ["9999999999", undefined],
  ["Thu, 01 Jan 1970 00:01:30 GMT", 80_000],
  ["Thu, 01 Jan 1970 00:00:01 GMT", 0],
  ["soon", undefined],
  [null, undefined],
])("Retry-After: %s, ten seconds after the epoch, is %s ms", (text, expected) => {
  expect(parseRetryAfter(text, 10_000)).toBe(expected);
});
