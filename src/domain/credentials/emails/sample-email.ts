import type { EmailBranding, EmailTexts } from "#infrastructure/email/messages/compose-message.js";
import {
  credentialAvailable,
  credentialExpiring,
  credentialWithdrawn,
} from "#infrastructure/email/messages/credential-emails.js";
import type { Message } from "#infrastructure/email/messages/message.js";
import { SAMPLE_CONTEXT, SAMPLE_NAME } from "../samples.js";
import type { EmailKind } from "./email-store.js";

/** An email that is only shown, not sent. */
export interface SampleEmail {
  readonly kind: EmailKind;
  /** BCP 47; empty: the language of the service. */
  readonly language: string;
  readonly branding: EmailBranding;
  /** The institution's own text; empty: none. */
  readonly ownWords: string;
  readonly texts: EmailTexts;
  readonly settings: { readonly platformName: string; readonly language: string; readonly timeZone: string };
}

/** Links in emails that are not sent lead nowhere. */
export const SAMPLE_LINK = "https://example.invalid/";

/** Composes an email about a sample credential. */
export function sampleEmail(
  {
    kind,
    language,
    branding,
    ownWords,
    texts,
    settings: { platformName, language: usual, timeZone },
  }: SampleEmail,
  now: Date,
): Message {
  const locales = language === "" ? [usual] : [language, usual];
  const facts = {
    platformName,
    credentialType: "…",
    learningContextName: SAMPLE_CONTEXT,
    userFullName: SAMPLE_NAME,
    link: SAMPLE_LINK,
    branding,
    texts: () => texts,
  };
  switch (kind) {
    case "available":
      return credentialAvailable(
        { ...facts, page: SAMPLE_LINK, isReplacement: false, ...(ownWords !== "" && { ownWords }) },
        locales,
      );
    case "expiry":
      return credentialExpiring({ ...facts, lastValid: now, timeZone }, locales);
    case "withdrawal":
      return credentialWithdrawn({ ...facts, reason: "…" }, locales);
  }
}
