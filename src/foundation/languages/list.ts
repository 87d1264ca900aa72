/**
 * All languages of the service and its console. To add a language, add a line here, a folder of catalogues next to this
 * file, and a folder in `src/console/languages/`.
 */
export const languages = {
  ar: { name: "العربية", direction: "rtl", locale: "ar-AE", colon: ": ", codePage: "windows-1256" },
  de: { name: "Deutsch", direction: "ltr", locale: "de-DE", colon: ": ", codePage: "windows-1252" },
  en: { name: "English", direction: "ltr", locale: "en-US", colon: ": ", codePage: "windows-1252" },
  es: { name: "Español", direction: "ltr", locale: "es-ES", colon: ": ", codePage: "windows-1252" },
  fr: { name: "Français", direction: "ltr", locale: "fr-FR", colon: "\u00A0: ", codePage: "windows-1252" },
  it: { name: "Italiano", direction: "ltr", locale: "it-IT", colon: ": ", codePage: "windows-1252" },
  pt: { name: "Português", direction: "ltr", locale: "pt-BR", colon: ": ", codePage: "windows-1252" },
  uk: { name: "Українська", direction: "ltr", locale: "uk-UA", colon: ": ", codePage: "windows-1251" },
} as const satisfies Record<string, ListedLanguage>;

interface ListedLanguage {
  /** Name of the language, in the language itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  /** A locale that React Aria supports. */
  readonly locale: string;
  /** Separates a label from its value. */
  readonly colon: string;
  /** Encoding in which Excel writes CSV in this language; a label of the Encoding Standard. */
  readonly codePage: `windows-${number}`;
}

/** A BCP 47 tag. */
export type LanguageTag = keyof typeof languages;

export const languageTags = Object.keys(languages).sort() as readonly LanguageTag[];
