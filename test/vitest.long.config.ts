import { defineConfig } from "vitest/config";
import { catalogues } from "../src/console/catalogue-plugin.js";
import { builtSources } from "./support/built-sources.js";
import slow from "./vitest.slow.config.js";

/**
 * Tests with random cases. Other configurations run only a few cases. This one includes the tests if the environment
 * requests more cases.
 */
const randomised = ["edges/hostile.slow.test.ts", "**/any-*.test.ts", "rendering/mutated-assets.test.ts"];
const asksForMore = process.env.FUZZ_RUNS !== undefined || process.env.HOSTILE_CASES !== undefined;

/**
 * Configures `npm run test:long`: tests that take fifteen seconds or more, such as kills, outages and the soak test.
 */
export default defineConfig({
  plugins: [catalogues(), builtSources()],
  resolve: slow.resolve ?? {},
  test: { ...slow.test, isolate: true, include: ["**/*.long.test.ts", ...(asksForMore ? randomised : [])] },
});
