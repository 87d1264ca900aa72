import { z } from "zod";

/** Generators that fail in ways that only a thread of their own survives. */
export const generators = [
  generator("test.endless", async () => {
    for (;;);
  }),
  generator("test.greedy", async () => {
    // Piece by piece: one large allocation past a thread's limit may end the whole process on Node 20.
    for (let kept = {}; ; ) kept = { kept };
  }),
  generator("test.exiting", async () => process.exit(3)),
];

function generator(name, render) {
  return { name, summary: "Fails.", options: z.strictObject({}), render };
}
