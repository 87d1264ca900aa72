import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components";
import type { LanguageTag } from "../languages/languages.js";
import { useLanguageTag } from "../reader/words.js";

/** The locales whose strings React Aria brings along. */
const regional: Record<LanguageTag, string> = {
  en: "en-US",
  es: "es-ES",
  fr: "fr-FR",
  de: "de-DE",
  ar: "ar-AE",
  uk: "uk-UA",
};

/** Has React Aria speak the reader's language. Only dialogs need it, so that the first page loads none of it. */
export function ReactAriaLocale({ children }: { readonly children: ReactNode }) {
  return <I18nProvider locale={regional[useLanguageTag()]}>{children}</I18nProvider>;
}
