import { type LanguageTag, languages } from "#foundation/languages/list.js";
import { createStore, type Store } from "../service/store.js";

export type Theme = "system" | "light" | "dark";
/** In whose time zone times are shown. */
export type TimeZoneChoice = "utc" | "browser";

/** What the reader has chosen in this browser. */
export const language = stored<LanguageTag>("language", isLanguageTag, nearestLanguage(navigator.languages));
export const theme = stored<Theme>(
  "theme",
  (text): text is Theme => /^(system|light|dark)$/.test(text),
  "system",
);
export const timeZone = stored<TimeZoneChoice>(
  "time-zone",
  (text): text is TimeZoneChoice => text === "utc" || text === "browser",
  "browser",
);

/** A store that outlives the page. A browser that keeps nothing still lets one choose. */
function stored<T extends string>(name: string, isValid: (text: string) => text is T, initial: T): Store<T> {
  const key = `console.${name}`;
  const saved = readStored(key);
  const store = createStore<T>(saved !== undefined && isValid(saved) ? saved : initial);
  store.subscribe(() => {
    try {
      localStorage.setItem(key, store.get());
    } catch {
      // The choice holds for this page.
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

/** Shows the chosen theme; CSS does the rest. */
export function followTheme(): void {
  const apply = () => document.documentElement.setAttribute("data-theme", theme.get());
  theme.subscribe(apply);
  apply();
}

export function isLanguageTag(text: string): text is LanguageTag {
  return Object.hasOwn(languages, text);
}

/** @param preferred BCP 47 tags, most preferred first @returns the first that the console supports, or English */
function nearestLanguage(preferred: readonly string[]): LanguageTag {
  const primary = preferred.map((tag) => tag.split("-", 1)[0]?.toLowerCase() ?? "");
  return primary.find(isLanguageTag) ?? "en";
}

/**
 * Returns the locale for dates and times in a language: the reader's own region where the browser names one for it, such
 * as en-GB, whose dates have another order than those of en.
 */
export function dateLocale(tag: LanguageTag): string {
  return navigator.languages.find((each) => isOf(tag, each)) ?? tag;
}

/** Some browsers name locales that are none in BCP 47, such as en-US@posix. */
function isOf(tag: LanguageTag, locale: string): boolean {
  return /^[a-z]+(?:-\w+)*$/i.test(locale) && locale.split("-", 1)[0]?.toLowerCase() === tag;
}
