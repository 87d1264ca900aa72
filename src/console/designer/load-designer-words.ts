/// <reference types="vite/types/importMeta.d.ts" />
import type { LanguageTag } from "../../languages/list.js";
import type { DesignerWording } from "../languages/en/designer.js";

/** Apart from the chapters: what they list is loaded with the first page. */
const files = import.meta.glob<DesignerWording>("../languages/*/designer.ts", { import: "designer" });

/** What was asked for so far, by its path. */
const loading = new Map<string, Promise<DesignerWording>>();

/** Loads the words of the designer in one language, once. */
export function loadDesignerWords(tag: LanguageTag): Promise<DesignerWording> {
  const path = `../languages/${tag}/designer.ts`;
  const load = files[path];
  if (!load) throw new Error(`the console has no ${path}`);
  const words = loading.get(path) ?? load();
  loading.set(path, words);
  words.catch(() => loading.delete(path)); // tried again next time
  return words;
}
