import { z } from "zod";
import type { Generator } from "../../src/rendering/generator.js";

/** Generators that fail in ways that only a thread of their own survives. */
export const generators: Generator[] = [
  generator("test.endless", async () => {
    for (;;);
  }),
  generator("test.greedy", async () => {
    const kept: object[] = [];
    for (;;) kept.push(new Array(1_000_000).fill({}));
  }),
  generator("test.exiting", async () => process.exit(3)),
];

function generator(name: string, render: Generator["render"]): Generator {
  return { name, summary: "Fails.", options: z.strictObject({}), render };
}
