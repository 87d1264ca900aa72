import type { ConsoleWording } from "./wording.js";

/** The languages of the console, by their own names. Each is loaded when it is chosen. */
export const languages = {
  en: { name: "English", direction: "ltr", load: () => import("./en.js").then(({ en }) => en) },
  es: { name: "Español", direction: "ltr", load: () => import("./es.js").then(({ es }) => es) },
  fr: { name: "Français", direction: "ltr", load: () => import("./fr.js").then(({ fr }) => fr) },
  de: { name: "Deutsch", direction: "ltr", load: () => import("./de.js").then(({ de }) => de) },
  ar: { name: "العربية", direction: "rtl", load: () => import("./ar.js").then(({ ar }) => ar) },
  uk: { name: "Українська", direction: "ltr", load: () => import("./uk.js").then(({ uk }) => uk) },
} as const satisfies Record<string, Language>;

interface Language {
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  load(): Promise<ConsoleWording>;
}

export type LanguageTag = keyof typeof languages;

export const languageTags = Object.keys(languages) as readonly LanguageTag[];

export function isLanguageTag(text: string): text is LanguageTag {
  return Object.hasOwn(languages, text);
}

/** @param preferred BCP 47 tags, the best first @returns the first that the console speaks, else English */
export function nearestLanguage(preferred: readonly string[]): LanguageTag {
  const primary = preferred.map((tag) => tag.split("-", 1)[0]?.toLowerCase() ?? "");
  return primary.find(isLanguageTag) ?? "en";
}
