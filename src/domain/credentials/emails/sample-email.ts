import type { EmailBranding, EmailTexts } from "#infrastructure/email/messages/compose-message.js";
import {
  credentialAvailable,
  credentialExpiring,
  credentialWithdrawn,
} from "#infrastructure/email/messages/credential-emails.js";
import type { EmailContent } from "#infrastructure/email/messages/message.js";
import { SAMPLE_CONTEXT, SAMPLE_NAME } from "../samples.js";
import type { EmailKind } from "./email-store.js";

/** An email that is shown but never sent. */
export interface SampleEmail {
  readonly kind: EmailKind;
  /** BCP 47 tag; empty for the language of the service. */
  readonly language: string;
  readonly branding: EmailBranding;
  /** The institution's own text; empty if there is none. */
  readonly ownWords: string;
  readonly texts: EmailTexts;
  readonly settings: { readonly platformName: string; readonly language: string; readonly timeZone: string };
}

/** Leads nowhere. Used for all links in emails that are never sent. */
export const SAMPLE_LINK = "https://example.invalid/";

/** A drawing of a page, shown in place of a certificate that doesn't exist yet. It suits light and dark backgrounds. */
export const SAMPLE_PICTURE = new TextEncoder().encode(
  `<svg xmlns="http://www.w3.org/2000/svg" width="1120" height="792" viewBox="0 0 297 210"><path fill="#fff" stroke="#8a938f" d="M.5.5h296v209H.5z"/><path fill="#deddd4" d="M108 52h81v10h-81zM78 88h141v14H78zM98 118h101v6H98zM40 166h60v2H40zM197 166h60v2h-60z"/><circle cx="148.5" cy="164" r="16" fill="#deddd4"/></svg>`,
);

/** Composes an email about a made-up credential. */
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
): EmailContent {
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
        {
          ...facts,
          page: SAMPLE_LINK,
          picture: SAMPLE_PICTURE,
          isReplacement: false,
          ...(ownWords !== "" && { ownWords }),
        },
        locales,
      );
    case "expiry":
      return credentialExpiring({ ...facts, lastValid: now, timeZone }, locales);
    case "withdrawal":
      return credentialWithdrawn({ ...facts, reason: "…" }, locales);
  }
}
