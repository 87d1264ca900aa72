import { type Language, languagesOf } from "#foundation/languages/languages.js";

/** A language in which mails are written. */
export type EmailLanguage = Language<"mail">;

export const languages = languagesOf("mail");
