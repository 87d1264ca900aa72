import { use } from "react";
import { useLanguageTag } from "../i18n/words.js";
import type { DesignerWording } from "../languages/en/designer.js";
import { loadDesignerWords } from "./load-designer-words.js";

/** The words of the designer in the reader's language. What needs them waits until they are there. */
export function useDesignerWords(): DesignerWording {
  return use(loadDesignerWords(useLanguageTag()));
}
