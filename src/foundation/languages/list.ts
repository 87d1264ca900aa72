/**
 * Every language of the service and of its console. A new one needs a line here, a folder of catalogues beside this
 * file, and one in `src/console/languages/`.
 */
export const languages = {
  ar: { name: "العربية", direction: "rtl", locale: "ar-AE", codePage: "windows-1256" },
  de: { name: "Deutsch", direction: "ltr", locale: "de-DE", codePage: "windows-1252" },
  en: { name: "English", direction: "ltr", locale: "en-US", codePage: "windows-1252" },
  es: { name: "Español", direction: "ltr", locale: "es-ES", codePage: "windows-1252" },
  fr: { name: "Français", direction: "ltr", locale: "fr-FR", codePage: "windows-1252" },
  it: { name: "Italiano", direction: "ltr", locale: "it-IT", codePage: "windows-1252" },
  pt: { name: "Português", direction: "ltr", locale: "pt-BR", codePage: "windows-1252" },
  uk: { name: "Українська", direction: "ltr", locale: "uk-UA", codePage: "windows-1251" },
} as const satisfies Record<string, ListedLanguage>;

interface ListedLanguage {
  /** Its name in itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  /** Its locale among those for which React Aria has words. */
  readonly locale: string;
  /** The encoding in which its users' Excel writes CSV; a label of the Encoding Standard. */
  readonly codePage: `windows-${number}`;
}

/** BCP 47. */
export type LanguageTag = keyof typeof languages;

/** The tags of all languages, in alphabetical order. */
export const languageTags = Object.keys(languages).sort() as readonly LanguageTag[];
