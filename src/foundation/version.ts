import { createRequire } from "node:module";

/** Version from package.json, which is two directories above the compiled file and one above the source. */
export const VERSION: string = createRequire(import.meta.url)(
  import.meta.url.endsWith(".ts") ? "../../package.json" : "../../package.json",
).version;
