import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { catalogues } from "../src/console/catalogue-plugin.js";
import { builtSources } from "./support/built-sources.js";
import { temporaryFiles } from "./support/temporary-files.js";

export default defineConfig({
  cacheDir: "../node_modules/.vite",
  plugins: [catalogues(), builtSources()],
  // The console is tested from its sources. `builtSources` resolves all other modules.
  resolve: {
    alias: [{ find: /^#console\/(.*)\.js$/, replacement: resolve(import.meta.dirname, "../src/console/$1") }],
  },
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    exclude: ["**/*.slow.test.ts", "**/*.long.test.ts"],
    globalSetup: ["./support/global-setup.ts"],
    setupFiles: ["./support/setup.ts"],
    env: { ...temporaryFiles() },
    maxWorkers: 3, // two for the processors, and one because many tests wait for processes or time
    isolate: false, // loading the same modules again for each file would take a fifth of the processor time
    testTimeout: 90_000, // for busy machines; it does not slow down a quick one
    hookTimeout: 120_000,
    expect: {
      requireAssertions: true, // fails a test whose assertions are all in a loop over nothing
      poll: { timeout: 60_000 },
    },
  },
});
