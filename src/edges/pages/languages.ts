import { type Language, languagesOf } from "#foundation/languages/languages.js";

/** A language of the public pages. */
export type PageLanguage = Language<"page">;

export const languages = languagesOf("page");
