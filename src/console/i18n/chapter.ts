import { use } from "react";
import { type Chapters, loadChapter } from "./load-chapter.js";
import { useLanguageTag } from "./words.js";

/**
 * Returns the texts of a chapter in the reader's language. A page or dialog that needs them waits until they are
 * loaded.
 */
export function useChapter<C extends keyof Chapters>(chapter: C): Chapters[C] {
  return use(loadChapter(chapter, useLanguageTag()));
}
