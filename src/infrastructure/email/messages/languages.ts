import { type Language, languagesOf } from "#foundation/languages/languages.js";

/** A language with texts for emails. */
export type EmailLanguage = Language<"email">;

export const languages = languagesOf("email");
