import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { catalogues } from "../src/console/catalogue-plugin.js";
import { builtSources } from "./support/built-sources.js";
import { temporaryFiles } from "./support/temporary-files.js";

export default defineConfig({
  cacheDir: "../node_modules/.vite",
  plugins: [catalogues(), builtSources()],
  // The console is tested as it is; `builtSources` finds all else.
  resolve: {
    alias: [{ find: /^#console\/(.*)\.js$/, replacement: resolve(import.meta.dirname, "../src/console/$1") }],
  },
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    exclude: ["**/*.slow.test.ts", "**/*.long.test.ts"],
    globalSetup: ["./support/global-setup.ts"],
    env: { ...temporaryFiles() },
    maxWorkers: 3, // two for the processors, and one more, as many tests wait for processes to start and for time to pass
    isolate: false, // to load the same modules again for each file would take a fifth of the processor time
    testTimeout: 90_000, // a busy machine may take long; a quick one is not held up
    hookTimeout: 120_000,
    expect: {
      requireAssertions: true, // a loop over nothing must not pass
      poll: { timeout: 60_000 },
    },
  },
});
