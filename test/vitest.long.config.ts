import { defineConfig } from "vitest/config";
import { builtSources } from "./support/built-sources.js";
import slow from "./vitest.slow.config.js";

/** Tests that `npm test` runs too, on random cases: here they run where the environment asks for more cases than there. */
const randomised = ["edges/hostile.test.ts", "**/any-*.test.ts", "rendering/mutated-assets.test.ts"];
const asksForMore = process.env.FUZZ_RUNS !== undefined || process.env.HOSTILE_CASES !== undefined;

/** `npm run test:long`: tests that take more than half a minute: kills, outages, soak. */
export default defineConfig({
  plugins: [builtSources()],
  test: { ...slow.test, include: ["**/*.long.test.ts", ...(asksForMore ? randomised : [])] },
});
