import { composeMessage, type MailFacts } from "./compose-message.js";
import { languages } from "./languages.js";
import type { Message } from "./message.js";

/** The facts in the mail; its link leads to the verification page. */
export interface CredentialExpiringFacts extends MailFacts {
  /** A moment of its last day. */
  readonly lastValid: Date;
  /** IANA name of the time zone of that day. */
  readonly timeZone: string;
}

/**
 * Composes the mail "your credential expires soon".
 * @param locales BCP 47 tags in order of preference: the learner's, then the service's
 */
export function credentialExpiring(facts: CredentialExpiringFacts, locales: readonly string[]): Message {
  const language = languages.choose(locales);
  const day = new Intl.DateTimeFormat(language.tag, {
    calendar: "gregory",
    numberingSystem: "latn",
    dateStyle: "long",
    timeZone: facts.timeZone,
  });
  return composeMessage(
    language,
    {
      subject: language.expirySubject,
      heading: language.expiryHeading,
      introduction: language.expiryIntroduction,
      button: language.expiryLink,
    },
    facts,
    { lastDay: day.format(facts.lastValid) },
  );
}
