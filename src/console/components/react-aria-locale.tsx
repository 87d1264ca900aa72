import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components";
import { languages } from "#foundation/languages/list.js";
import { useLanguageTag } from "../i18n/words.js";

/**
 * Sets the reader's language for React Aria. It is not part of the first load, because the first page doesn't need it.
 */
export function ReactAriaLocale({ children }: { readonly children: ReactNode }) {
  return <I18nProvider locale={languages[useLanguageTag()].locale}>{children}</I18nProvider>;
}
