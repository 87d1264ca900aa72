import { defineConfig } from "vitest/config";
import quick from "./vitest.config.js";

/** `npm run test:slow`: kill tests, faults, soak, and more hostile requests and inputs. */
export default defineConfig({
  test: {
    ...quick.test,
    include: [
      "**/*.slow.test.ts",
      "edges/hostile.test.ts",
      "**/any-*.test.ts",
      "rendering/mutated-assets.test.ts",
    ],
    env: { HOSTILE_CASES: "10000", FUZZ_RUNS: "3" },
    exclude: [],
    maxWorkers: 2,
    testTimeout: 120_000,
  },
});
