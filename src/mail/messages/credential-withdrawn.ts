import { composeMessage, type MailFacts } from "./compose-message.js";
import { languages } from "./languages.js";
import type { Message } from "./message.js";

/** The facts in the mail; its link leads to the verification page. */
export interface CredentialWithdrawnFacts extends MailFacts {
  /** What verifiers read, too. */
  readonly reason: string;
}

/**
 * Composes the mail "your credential was withdrawn".
 * @param locales BCP 47 tags in order of preference: the learner's, then the service's
 */
export function credentialWithdrawn(facts: CredentialWithdrawnFacts, locales: readonly string[]): Message {
  const language = languages.choose(locales);
  return composeMessage(
    language,
    {
      subject: language.withdrawalSubject,
      heading: language.withdrawalHeading,
      introduction: language.withdrawalIntroduction,
      detail: language.withdrawalReason,
      button: language.expiryLink,
      note: language.withdrawalContact,
    },
    facts,
    { reason: facts.reason },
  );
}
