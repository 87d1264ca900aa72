import { type Language, languagesOf } from "../../languages/languages.js";

/** A language that our pages speak. */
export type PageLanguage = Language<"page">;

export const languages = languagesOf("page");
