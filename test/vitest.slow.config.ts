import { defineConfig } from "vitest/config";
import quick from "./vitest.config.js";

/** `npm run test:slow`: kill tests, faults, soak. They measure time, too, so one file runs at a time. */
export default defineConfig({
  test: {
    ...quick.test,
    include: ["**/*.slow.test.ts"],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 120_000,
  },
});
