import { useEffect, useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { loadChapter } from "../i18n/load-chapter.js";
import { useLanguageTag } from "../i18n/words.js";

/** Loads a chapter without delaying the page. Returns undefined until the chapter is loaded. */
export function useLateChapter<C extends keyof Chapters>(
  chapter: C,
  isNeeded = true,
): Chapters[C] | undefined {
  const tag = useLanguageTag();
  const [loaded, setLoaded] = useState<Chapters[C]>();
  useEffect(() => {
    if (isNeeded) loadChapter(chapter, tag).then(setLoaded, () => {}); // on failure, the service's own texts remain
  }, [chapter, tag, isNeeded]);
  return loaded;
}

/** Returns the name of a choice; undefined for a choice of a plug-in. */
export function choiceName(option: string, choice: string, words: Chapters["choices"]): string | undefined {
  return textFor(words, `${option.slice(option.lastIndexOf(".") + 1)}.${choice}`);
}
