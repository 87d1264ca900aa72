import { expect } from "vitest";

// By default, `toEqual` compares bytes one by one, which takes a second for a document of 100 kB.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined,
]);
