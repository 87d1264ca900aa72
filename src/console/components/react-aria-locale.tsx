import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components";
import { languages } from "#foundation/languages/list.js";
import { useLanguageTag } from "../i18n/words.js";

/** Passes the reader's language to React Aria. Loaded separately, because the first page doesn't need it. */
export function ReactAriaLocale({ children }: { readonly children: ReactNode }) {
  return <I18nProvider locale={languages[useLanguageTag()].locale}>{children}</I18nProvider>;
}
