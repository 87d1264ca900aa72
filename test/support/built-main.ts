import { join, resolve } from "node:path";

/** The directory with the built program of this run, equal to a clone after `npm run build`. */
export const BUILT = process.env.BUILT_SOURCES ?? resolve(import.meta.dirname, "../..");

/** The built command line. Started from its sources, a process would take twice as long. */
export const BUILT_MAIN = join(BUILT, "dist/src/main.js");
