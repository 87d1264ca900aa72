import { defineConfig } from "vitest/config";
import { builtSources } from "./support/built-sources.js";
import { LongestFirst } from "./support/longest-first.js";
import quick from "./vitest.config.js";

/** Tests that `npm test` runs too, on random cases: here they run where the environment asks for more cases than there. */
const randomised = ["edges/hostile.test.ts", "**/any-*.test.ts", "rendering/mutated-assets.test.ts"];
const asksForMore = process.env.FUZZ_RUNS !== undefined || process.env.HOSTILE_CASES !== undefined;

/** `npm run test:slow`: kill tests, faults and soak. */
export default defineConfig({
  plugins: [builtSources()],
  test: {
    ...quick.test,
    include: ["**/*.slow.test.ts", ...(asksForMore ? randomised : [])],
    exclude: [],
    sequence: { sequencer: LongestFirst },
    isolate: true,
    testTimeout: 240_000, // a busy machine may take long; a quick one is not held up
  },
});
