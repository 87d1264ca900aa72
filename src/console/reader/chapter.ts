import { useEffect, useState } from "react";
import type { Chapter } from "../languages/chapter.js";
import { useLanguageTag } from "./words.js";

/** The words of a chapter in the reader's language; undefined until they are there. */
export function useChapter<W>(chapter: Chapter<W>): W | undefined {
  const tag = useLanguageTag();
  const [words, setWords] = useState<W>();
  useEffect(() => {
    let isWanted = true;
    void chapter[tag]().then((loaded) => isWanted && setWords(loaded));
    return () => {
      isWanted = false;
    };
  }, [chapter, tag]);
  return words;
}
