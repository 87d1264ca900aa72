import { type Language, languagesOf } from "#foundation/languages/languages.js";

export type PageLanguage = Language<"page">;

export const pageLanguages = languagesOf("page");
