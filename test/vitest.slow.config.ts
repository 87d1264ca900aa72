import { defineConfig } from "vitest/config";
import { catalogues } from "../src/console/catalogue-plugin.js";
import { builtSources } from "./support/built-sources.js";
import quick from "./vitest.config.js";

/** `npm run test:slow`: files of tests that take five seconds or more, alone on a quiet machine. */
export default defineConfig({
  plugins: [catalogues(), builtSources()],
  resolve: quick.resolve ?? {},
  test: {
    ...quick.test,
    include: ["**/*.slow.test.ts"],
    exclude: [],
    testTimeout: 240_000, // a busy machine may take long; a quick one is not held up
  },
});
