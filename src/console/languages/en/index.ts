/// <reference types="vite/types/importMeta.d.ts" />
export { words as core } from "./core.js";

/** The other chapters. The designer loads its words itself. */
export const chapters = import.meta.glob(["./*.ts", "!./index.ts", "!./core.ts", "!./designer.ts"], {
  import: "words",
});
