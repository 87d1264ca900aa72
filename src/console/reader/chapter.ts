import { useEffect, useState } from "react";
import { type Chapters, loadChapter } from "./load-chapter.js";
import { useLanguageTag } from "./words.js";

/** The words of a chapter in the reader's language; undefined until they are there. */
export function useChapter<C extends keyof Chapters>(chapter: C): Chapters[C] | undefined {
  const tag = useLanguageTag();
  const [words, setWords] = useState<Chapters[C]>();
  useEffect(() => {
    let isWanted = true;
    void loadChapter(chapter, tag).then((loaded) => isWanted && setWords(loaded));
    return () => {
      isWanted = false;
    };
  }, [chapter, tag]);
  return words;
}
