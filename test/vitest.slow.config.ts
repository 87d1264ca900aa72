import { defineConfig } from "vitest/config";
import { catalogues } from "../src/console/catalogue-plugin.js";
import { builtSources } from "./support/built-sources.js";
import quick from "./vitest.config.js";

/** Configures `npm run test:slow`: test files that take five seconds or more when they run alone on an idle machine. */
export default defineConfig({
  plugins: [catalogues(), builtSources()],
  resolve: quick.resolve ?? {},
  test: {
    ...quick.test,
    include: ["**/*.slow.test.ts"],
    exclude: [],
    testTimeout: 600_000, // for machines that are busy or slow
    hookTimeout: 300_000,
  },
});
