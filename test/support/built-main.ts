import { join, resolve } from "node:path";

/** Where the run has built the program: what a directory with a clone has after `npm run build`. */
export const BUILT = process.env.BUILT_SOURCES ?? resolve(import.meta.dirname, "../..");

/** Its command line: started from its sources, a process would take twice as long. */
export const BUILT_MAIN = join(BUILT, "dist/src/main.js");
