import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components";
import { languages } from "#foundation/languages/list.js";
import { useLanguageTag } from "../i18n/words.js";

/** Has React Aria speak the reader's language. The first page needs it nowhere, and loads none of it. */
export function ReactAriaLocale({ children }: { readonly children: ReactNode }) {
  return <I18nProvider locale={languages[useLanguageTag()].locale}>{children}</I18nProvider>;
}
