import { format } from "#foundation/languages/message.js";
import { composeMessage, type EmailFacts, type EmailTexts, type EmailWords } from "./compose-message.js";
import { type emailPlaceholders, placeholders } from "./email-placeholders.js";
import { type EmailLanguage, languages } from "./languages.js";
import type { Message } from "./message.js";

type Kind = keyof typeof emailPlaceholders;

/** The facts in the email that a credential is available; its link downloads the credential. */
export interface CredentialAvailableFacts extends EmailFacts {
  /** Address of its verification page, with http or https. */
  readonly page: string;
  /** Address of the page that hands it to a wallet; undefined if wallets can't have it. */
  readonly wallet?: string | undefined;
  /** True if the credential was issued instead of another one, which is no longer valid. */
  readonly isReplacement: boolean;
  /** The institution's own text, in which each line is a paragraph. */
  readonly ownWords?: string;
}

/**
 * Composes the email "your credential is available".
 * @param locales BCP 47 tags in order of preference: the learner's, then the service's
 */
export function credentialAvailable(facts: CredentialAvailableFacts, locales: readonly string[]): Message {
  const language = languages.choose(locales);
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

/** The facts in the email that a credential expires; its link leads to the verification page. */
export interface CredentialExpiringFacts extends EmailFacts {
  /** Any moment of the last day of validity. */
  readonly lastValid: Date;
  /** IANA name of the time zone that determines this day. */
  readonly timeZone: string;
}

/** Composes the email "your credential expires soon". */
export function credentialExpiring(facts: CredentialExpiringFacts, locales: readonly string[]): Message {
  const language = languages.choose(locales);
  const day = new Intl.DateTimeFormat(language.tag, {
    calendar: "gregory",
    numberingSystem: "latn",
    dateStyle: "long",
    timeZone: facts.timeZone,
  });
  const words = { ...textsOf(language, "expiry"), button: language.expiryLink };
  return composeMessage(language, words, facts, { lastDay: day.format(facts.lastValid) });
}

/**
 * Composes the email "your credential was withdrawn".
 * @param facts the reason is also shown to verifiers; the link leads to the verification page
 */
export function credentialWithdrawn(
  { reason, ...facts }: EmailFacts & { readonly reason: string },
  locales: readonly string[],
): Message {
  const language = languages.choose(locales);
  const { withdrawalReason: detail, expiryLink: button, withdrawalContact: note } = language;
  return composeMessage(language, { ...textsOf(language, "withdrawal"), detail, button, note }, facts, {
    reason,
  });
}

/** Returns the service's own texts in emails of a kind, with the placeholders for institutions. */
export function usualTexts(kind: Kind, locales: readonly string[]): EmailTexts {
  const { subject, heading, introduction } = textsOf(languages.choose(locales), kind);
  return {
    subject: format(subject, placeholders),
    heading: format(heading, placeholders),
    introduction: format(introduction, placeholders),
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
