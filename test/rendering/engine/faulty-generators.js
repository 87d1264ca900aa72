import { z } from "zod";

/** Generators with failures that only a separate thread survives. */
export const generators = [
  generator("test.endless", async () => {
    // Blocks its thread like an endless loop, but without taking processor time from concurrent tests.
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }),
  generator("test.greedy", async () => {
    // In small pieces: on Node 20, one large allocation past a thread's limit may end the whole process.
    for (let stored = {}; ; ) stored = { kept: stored };
  }),
  generator("test.exiting", async () => process.exit(3)),
];

function generator(name, render) {
  return { name, summary: "Fails.", options: z.strictObject({}), render };
}
