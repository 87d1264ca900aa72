import { type LanguageTag, languages } from "#foundation/languages/list.js";
import { createStore, type Store } from "../service/store.js";

export type Theme = "system" | "light" | "dark";
export type TimeZoneChoice = "utc" | "browser";

/** The reader's preferences, stored in this browser. */
export const language = createStoredSetting<LanguageTag>(
  "language",
  isConsoleLanguage,
  nearestLanguage(navigator.languages),
);
export const theme = createStoredSetting<Theme>(
  "theme",
  (text): text is Theme => /^(system|light|dark)$/.test(text),
  "system",
);
export const timeZone = createStoredSetting<TimeZoneChoice>(
  "time-zone",
  (text): text is TimeZoneChoice => text === "utc" || text === "browser",
  "browser",
);

/** Creates a store that survives a reload. If the browser can't store the value, it lasts until the page is closed. */
function createStoredSetting<T extends string>(
  name: string,
  isValid: (text: string) => text is T,
  initial: T,
): Store<T> {
  const key = `console.${name}`;
  const saved = readStored(key);
  const store = createStore<T>(saved !== undefined && isValid(saved) ? saved : initial);
  store.subscribe(() => {
    try {
      localStorage.setItem(key, store.get());
    } catch {
      // The value is lost when the page is closed.
    }
  });
  return store;
}

function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Applies the chosen theme. The CSS contains the colours of each theme. */
export function followTheme(): void {
  const apply = () => document.documentElement.setAttribute("data-theme", theme.get());
  theme.subscribe(apply);
  apply();
}

export function isConsoleLanguage(text: string): text is LanguageTag {
  return Object.hasOwn(languages, text);
}

/**
 * @param preferred BCP 47 tags, the most preferred first
 * @returns the first language that the console supports, or English
 */
function nearestLanguage(preferred: readonly string[]): LanguageTag {
  const primary = preferred.map((tag) => tag.split("-", 1)[0]?.toLowerCase() ?? "");
  return primary.find(isConsoleLanguage) ?? "en";
}

/**
 * Returns the locale for dates and times: the browser's regional locale for the language, if there is one. For example,
 * dates in en-GB have another order than in en.
 */
export function dateLocale(tag: LanguageTag): string {
  return navigator.languages.find((each) => isOf(tag, each)) ?? tag;
}

/**
 * Returns whether a locale belongs to a language. Rejects locales that are not valid in BCP 47, such as en-US@posix,
 * which some browsers use.
 */
function isOf(tag: LanguageTag, locale: string): boolean {
  return /^[a-z]+(?:-\w+)*$/i.test(locale) && locale.split("-", 1)[0]?.toLowerCase() === tag;
}
