import { z } from "zod";
import type { Generator } from "../../src/rendering/generator.js";

/** Generators that fail in ways that only a thread of their own survives. */
export const generators: Generator[] = [
  generator("test.endless", async () => {
    for (;;);
  }),
  generator("test.greedy", async () => {
    // Piece by piece: one large allocation past a thread's limit may end the whole process on Node 20.
    for (let kept = {}; ; ) kept = { kept };
  }),
  generator("test.exiting", async () => process.exit(3)),
];

function generator(name: string, render: Generator["render"]): Generator {
  return { name, summary: "Fails.", options: z.strictObject({}), render };
}
