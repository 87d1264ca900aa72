import { format } from "#foundation/languages/message.js";
import { composeMessage, type EmailFacts, type EmailTexts, type EmailWords } from "./compose-message.js";
import { type emailPlaceholders, emailPlaceholderValues } from "./email-placeholders.js";
import { type EmailLanguage, emailLanguages } from "./languages.js";
import type { EmailContent } from "./message.js";

type Kind = keyof typeof emailPlaceholders;

interface CredentialAvailableFacts extends EmailFacts {
  /** The verification page, with http or https. */
  readonly page: string;
  /** The page that offers the credential to wallets; undefined if it isn't offered to wallets. */
  readonly wallet?: string | undefined;
  /** Whether the credential replaces another one that is no longer valid. */
  readonly isReplacement: boolean;
  /** The institution's own text. Each line is a paragraph. */
  readonly ownWords?: string;
}

/**
 * @param facts with a link that downloads the credential
 * @param locales BCP 47 tags in order of preference: the learner's, then the service's
 */
export function credentialAvailable(
  facts: CredentialAvailableFacts,
  locales: readonly string[],
): EmailContent {
  const language = emailLanguages.choose(locales);
  const { download, privacy, verificationPage, walletPage } = language;
  return composeMessage(
    language,
    {
      ...textsOf(language, facts.isReplacement ? "replacement" : "available"),
      ...(facts.ownWords !== undefined && { ownWords: facts.ownWords }),
      button: download,
      second: { words: verificationPage, link: facts.page },
      note: privacy,
      further: facts.wallet === undefined ? [] : [{ words: walletPage, link: facts.wallet }],
    },
    facts,
  );
}

interface CredentialExpiringFacts extends EmailFacts {
  /** Any moment of the last day of validity. */
  readonly lastValid: Date;
  /** IANA name of the time zone of the last day. */
  readonly timeZone: string;
}

/** @param facts with a link to the verification page */
export function credentialExpiring(facts: CredentialExpiringFacts, locales: readonly string[]): EmailContent {
  const language = emailLanguages.choose(locales);
  const day = new Intl.DateTimeFormat(language.tag, {
    calendar: "gregory",
    numberingSystem: "latn",
    dateStyle: "long",
    timeZone: facts.timeZone,
  });
  const words = { ...textsOf(language, "expiry"), button: language.expiryLink };
  return composeMessage(language, words, facts, { lastDay: day.format(facts.lastValid) });
}

/** @param facts The reason is also shown to verifiers. The link leads to the verification page */
export function credentialWithdrawn(
  { reason, ...facts }: EmailFacts & { readonly reason: string },
  locales: readonly string[],
): EmailContent {
  const language = emailLanguages.choose(locales);
  const { withdrawalReason: detail, expiryLink: button, withdrawalContact: note } = language;
  return composeMessage(language, { ...textsOf(language, "withdrawal"), detail, button, note }, facts, {
    reason,
  });
}

/** The service's own texts, with the placeholders for institutions. */
export function usualTexts(kind: Kind, locales: readonly string[]): EmailTexts {
  const { subject, heading, introduction } = textsOf(emailLanguages.choose(locales), kind);
  return {
    subject: format(subject, emailPlaceholderValues),
    heading: format(heading, emailPlaceholderValues),
    introduction: format(introduction, emailPlaceholderValues),
  };
}

function textsOf(
  language: EmailLanguage,
  kind: Kind | "replacement",
): Pick<EmailWords, "subject" | "heading" | "introduction"> {
  if (kind === "available") {
    const { subject, heading, introduction } = language;
    return { subject, heading, introduction };
  }
  return {
    subject: language[`${kind}Subject`],
    heading: language[`${kind}Heading`],
    introduction: language[`${kind}Introduction`],
  };
}
