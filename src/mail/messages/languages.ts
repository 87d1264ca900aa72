import { type Language, languagesOf } from "../../languages/languages.js";

/** A language in which mails are written. */
export type MailLanguage = Language<"mail">;

export const languages = languagesOf("mail");
