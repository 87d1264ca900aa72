import { createRequire } from "node:module";

/**
 * Version from package.json. The compiled file is one directory deeper than the source, so its path to package.json is
 * longer.
 */
export const VERSION: string = createRequire(import.meta.url)(
  import.meta.url.endsWith(".ts") ? "../../package.json" : "../../../package.json",
).version;
