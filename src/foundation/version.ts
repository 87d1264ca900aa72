import { createRequire } from "node:module";

/** The version in package.json. The compiled file is one directory deeper than the source. */
export const VERSION: string = createRequire(import.meta.url)(
  import.meta.url.endsWith(".ts") ? "../../package.json" : "../../../package.json",
).version;
