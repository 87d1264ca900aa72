import type { LanguageTag } from "./languages.js";

/** Words that few pages need, in every language. They are loaded when they are first shown. */
export type Chapter<W> = Readonly<Record<LanguageTag, () => Promise<W>>>;
