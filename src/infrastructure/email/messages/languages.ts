import { type Language, languagesOf } from "#foundation/languages/languages.js";

export type EmailLanguage = Language<"email">;

export const emailLanguages = languagesOf("email");
