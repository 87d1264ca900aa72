import type { MailTexts } from "./compose-message.js";
import { languages } from "./languages.js";
import { type mailPlaceholders, withTheirPlaceholders } from "./mail-placeholders.js";

/** What the service itself says in mails of a kind, in the language of the first tag that it speaks. */
export function usualTexts(kind: keyof typeof mailPlaceholders, locales: readonly string[]): MailTexts {
  const words = languages.choose(locales);
  const [subject, heading, introduction] = {
    available: [words.subject, words.heading, words.introduction],
    expiry: [words.expirySubject, words.expiryHeading, words.expiryIntroduction],
    withdrawal: [words.withdrawalSubject, words.withdrawalHeading, words.withdrawalIntroduction],
  }[kind].map(withTheirPlaceholders);
  return { subject: subject ?? "", heading: heading ?? "", introduction: introduction ?? "" };
}
