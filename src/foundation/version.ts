import { createRequire } from "node:module";

/** Version from package.json, which is one directory higher above the compiled file than above the source. */
export const VERSION: string = createRequire(import.meta.url)(
  import.meta.url.endsWith(".ts") ? "../../package.json" : "../../../package.json",
).version;
