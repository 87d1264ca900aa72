import { type Language, languagesOf } from "#foundation/languages/languages.js";

/** A language in which emails are written. */
export type EmailLanguage = Language<"email">;

export const languages = languagesOf("email");
