/// <reference types="vite/types/importMeta.d.ts" />
export { default as core } from "./core.json";

export const chapters = import.meta.glob(["./*.json", "!./core.json"], { import: "default" });
