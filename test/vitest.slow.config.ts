import { defineConfig } from "vitest/config";
import { builtSources } from "./support/built-sources.js";
import { LongestFirst } from "./support/longest-first.js";
import { temporaryFiles } from "./support/temporary-files.js";
import quick from "./vitest.config.js";

/** `npm run test:slow`: kill tests, faults, soak, and more hostile requests and inputs. */
export default defineConfig({
  plugins: [builtSources()],
  test: {
    ...quick.test,
    include: [
      "**/*.slow.test.ts",
      "edges/hostile.test.ts",
      "**/any-*.test.ts",
      "rendering/mutated-assets.test.ts",
    ],
    env: { ...temporaryFiles(), HOSTILE_CASES: "10000", FUZZ_RUNS: "2" },
    exclude: [],
    sequence: { sequencer: LongestFirst },
    isolate: true,
    testTimeout: 120_000,
  },
});
