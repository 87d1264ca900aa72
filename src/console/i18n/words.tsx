import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { type LanguageTag, languages } from "#foundation/languages/list.js";
import { useStore } from "../service/store.js";
import {
  type Chapters,
  type ConsoleWording,
  loadChapter,
  loadedChapter,
  loadLanguage,
} from "./load-chapter.js";
import { dateLocale, language, timeZone } from "./preferences.js";

export interface Formats {
  readonly number: (value: number) => string;
  /** For example `92.35 %`. */
  readonly percent: (fraction: number) => string;
  /** For example `1,234 ms`. */
  readonly milliseconds: (value: number) => string;
  /** For example `12 sec`. */
  readonly seconds: (value: number) => string;
  /** For example `22 Nov 2026`. */
  readonly day: (time: Timestamp) => string;
  /** A day with its time and time zone. */
  readonly moment: (time: Timestamp) => string;
  /** For example `Europe/Madrid`. */
  readonly timeZone: string;
  /** Separates a label from its value. */
  readonly colon: string;
}

interface LoadedWords {
  readonly tag: LanguageTag;
  readonly words: ConsoleWording;
}

const WordsContext = createContext<LoadedWords | undefined>(undefined);

/** Provides the texts of the selected language to its children. Shows nothing until the texts are loaded. */
export function Words({
  first,
  children,
}: {
  /** The texts in the selected language, if they are already loaded. */
  readonly first: ConsoleWording | undefined;
  readonly children: ReactNode;
}) {
  const tag = useStore(language);
  const [spoken, setSpoken] = useState<LoadedWords | undefined>(first && { tag, words: first });
  useEffect(() => {
    let isWanted = true;
    void loadLanguage(tag).then((words) => isWanted && setSpoken({ tag, words }));
    return () => {
      isWanted = false;
    };
  }, [tag]);
  useEffect(() => {
    if (!spoken) return;
    const { direction, colon } = languages[spoken.tag];
    document.documentElement.lang = spoken.tag;
    document.documentElement.dir = direction;
    document.documentElement.style.setProperty("--colon", JSON.stringify(colon));
  }, [spoken]);
  if (!spoken) return null;
  return <WordsContext value={spoken}>{children}</WordsContext>;
}

function useLoadedWords(): LoadedWords {
  const loadedWords = use(WordsContext);
  if (!loadedWords) throw new Error("this hook can only be used inside <Words>");
  return loadedWords;
}

export function useWords(): ConsoleWording {
  return useLoadedWords().words;
}

/** Returns the texts of a chapter. The page or dialog waits until they are loaded. */
export function useChapter<C extends keyof Chapters>(chapter: C): Chapters[C] {
  const tag = useLanguageTag();
  // Even if the texts were loaded, `use` with their promise would hide the page for a moment, and lose the focus.
  return loadedChapter(chapter, tag) ?? use(loadChapter(chapter, tag));
}

/** Returns a function that joins items in the way of the reader's language, for example with Arabic commas. */
export function useList(): (items: readonly string[]) => string {
  const list = new Intl.ListFormat(useLanguageTag(), { type: "unit" });
  return (items) => list.format(items);
}

/** Returns functions that format values for the reader's language and time zone. */
export function useFormats(): Formats {
  const { tag } = useLoadedWords();
  const choice = useStore(timeZone);
  return useMemo(() => {
    const zone = choice === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
    const number = new Intl.NumberFormat(tag);
    const percent = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 2 });
    const milliseconds = new Intl.NumberFormat(tag, { style: "unit", unit: "millisecond" });
    const seconds = new Intl.NumberFormat(tag, { style: "unit", unit: "second" });
    const day = new Intl.DateTimeFormat(dateLocale(tag), { dateStyle: "medium", timeZone: zone });
    const moment = new Intl.DateTimeFormat(dateLocale(tag), {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "short",
      timeZone: zone,
    });
    return {
      number: (value) => number.format(value),
      percent: (fraction) => percent.format(fraction),
      milliseconds: (value) => milliseconds.format(value),
      seconds: (value) => seconds.format(value),
      day: (time) => day.format(timestampDate(time)),
      moment: (time) => moment.format(timestampDate(time)),
      timeZone: zone,
      colon: languages[tag].colon,
    };
  }, [tag, choice]);
}

export function useLanguageTag(): LanguageTag {
  return useLoadedWords().tag;
}
