/// <reference types="vite/types/importMeta.d.ts" />
export { words as core } from "./core.js";

/** The other chapters. */
export const chapters = import.meta.glob(["./*.ts", "!./index.ts", "!./core.ts"], {
  import: "words",
});
