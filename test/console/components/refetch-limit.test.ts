import { expect, test } from "vitest";
import { refetchLimit } from "#console/components/refetch-limit.js";

test("refetches are counted from when the waiting began", () => {
  const mayRefetch = refetchLimit(3);
  expect([0, 50, 100].map((count) => mayRefetch(undefined, count))).toEqual([false, false, false]);
  expect([100, 101, 102, 103].map((count) => mayRefetch("email", count))).toEqual([true, true, true, false]);
});

test("asking again without an update changes nothing", () => {
  const mayRefetch = refetchLimit(1);
  expect([4, 4, 5, 5].map((count) => mayRefetch("email", count))).toEqual([true, true, false, false]);
});

test("waiting for something else starts a new count", () => {
  const mayRefetch = refetchLimit(2);
  expect([1, 2, 3].map((count) => mayRefetch("issued", count))).toEqual([true, true, false]);
  expect([3, 4, 5].map((count) => mayRefetch("withdrawn", count))).toEqual([true, true, false]);
});

test("after the last refetch, an update with another cause starts a new count", () => {
  const mayRefetch = refetchLimit(2);
  expect([1, 3, 4, 5, 6].map((count) => mayRefetch("email", count))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
});
