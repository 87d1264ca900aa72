import { type Language, languagesOf } from "#foundation/languages/languages.js";

/** A language in which mails are written. */
export type MailLanguage = Language<"mail">;

export const languages = languagesOf("mail");
