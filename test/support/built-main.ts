import { join, resolve } from "node:path";

/** Directory with the built program of this run. It has the same contents as a clone after `npm run build`. */
export const BUILT = process.env.BUILT_SOURCES ?? resolve(import.meta.dirname, "../..");

/** The built command line. A process that starts from the sources would take twice as long. */
export const BUILT_MAIN = join(BUILT, "dist/src/main.js");
