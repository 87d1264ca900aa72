import { createRequire } from "node:module";

/** Version from package.json, which is one directory higher relative to the compiled file than to the source. */
export const VERSION: string = createRequire(import.meta.url)(
  import.meta.url.endsWith(".ts") ? "../../package.json" : "../../../package.json",
).version;
