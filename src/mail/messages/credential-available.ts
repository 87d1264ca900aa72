import { composeMessage, type MailFacts } from "./compose-message.js";
import { languages } from "./languages.js";
import type { Message } from "./message.js";

/** The facts in the mail. */
export interface CredentialAvailableFacts extends MailFacts {
  /** Address of its verification page, with http or https. */
  readonly page: string;
  /** Address of the page that hands it to a wallet; undefined if wallets can't have it. */
  readonly wallet?: string | undefined;
  /** Whether it was issued in place of another one, which is no longer valid. */
  readonly isReplacement: boolean;
  /** The institution's own words, each line a paragraph. */
  readonly ownWords?: string;
}

/**
 * Composes the mail "your credential is available". Its first link downloads the credential.
 * @param locales BCP 47 tags in order of preference: the learner's, then the service's
 */
export function credentialAvailable(facts: CredentialAvailableFacts, locales: readonly string[]): Message {
  const language = languages.choose(locales);
  const { download, privacy, verificationPage, walletPage } = language;
  const { subject, heading, introduction } = facts.isReplacement
    ? {
        subject: language.replacementSubject,
        heading: language.replacementHeading,
        introduction: language.replacementIntroduction,
      }
    : language;
  return composeMessage(
    language,
    {
      subject,
      heading,
      introduction,
      ...(facts.ownWords !== undefined && { ownWords: facts.ownWords }),
      button: download,
      note: privacy,
      further: [
        { words: verificationPage, link: facts.page },
        ...(facts.wallet === undefined ? [] : [{ words: walletPage, link: facts.wallet }]),
      ],
    },
    facts,
  );
}
