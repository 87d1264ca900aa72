import { defineConfig } from "vitest/config";
import { catalogues } from "../src/console/catalogue-plugin.js";
import { builtSources } from "./support/built-sources.js";
import slow from "./vitest.slow.config.js";

/** Tests on random cases, of which the others run a few: here they run where the environment asks for more. */
const randomised = ["edges/hostile.slow.test.ts", "**/any-*.test.ts", "rendering/mutated-assets.test.ts"];
const asksForMore = process.env.FUZZ_RUNS !== undefined || process.env.HOSTILE_CASES !== undefined;

/** `npm run test:long`: files of tests that take fifteen seconds or more: kills, outages, soak. */
export default defineConfig({
  plugins: [catalogues(), builtSources()],
  resolve: slow.resolve ?? {},
  test: { ...slow.test, isolate: true, include: ["**/*.long.test.ts", ...(asksForMore ? randomised : [])] },
});
