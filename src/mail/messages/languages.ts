import { type Language, languagesOf } from "../../languages/languages.js";

/** A language that we write mails in. */
export type MailLanguage = Language<"mail">;

export const languages = languagesOf("mail");
