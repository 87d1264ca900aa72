import type { Database } from "#infrastructure/db/database.js";
import type { EmailFacts } from "#infrastructure/email/messages/compose-message.js";
import {
  credentialAvailable,
  credentialExpiring,
  credentialWithdrawn,
} from "#infrastructure/email/messages/credential-emails.js";
import type { EmailContent } from "#infrastructure/email/messages/message.js";
import type { Brands } from "../../brands/brands.js";
import { emailOptions } from "../../configurations/email-text-option.js";
import { organisationOf } from "../../learners/organisations.js";
import type { Credential } from "../credential.js";
import { findCredential } from "../credential-store.js";
import { downloadLink } from "../download/download-link.js";
import { lastMomentOf } from "../validity/end-of-validity.js";
import { verifyUrl } from "../verify-url.js";
import { emailBranding } from "./email-branding.js";
import type { CredentialEmail, EmailKind } from "./email-store.js";
import type { KnownEmailTexts } from "./email-texts.js";

export interface ComposingDeps {
  readonly database: Database;
  /** Signs the download link. */
  readonly secret: string;
  /** Returns the URL that offers the credential to a wallet, or `undefined` if wallets can't store it. */
  readonly walletUrl?: ((credential: Credential) => string | undefined) | undefined;
  /** Returns a picture of the document, for the email about an available credential. */
  pictureOf(credential: Credential): Promise<Uint8Array | undefined>;
  readonly brands: Brands;
  readonly emailTexts: KnownEmailTexts;
  readonly publicUrl: string;
}

interface Kind {
  /** Returns whether the email still describes the state of the credential. */
  isDue(credential: Credential): boolean;
  /** Distinguishes the Message-IDs of emails about the same credential. */
  idSuffix(email: CredentialEmail): string;
  /** @param facts `link` leads to the verification page */
  compose(
    deps: ComposingDeps,
    credential: Credential,
    facts: EmailFacts,
    locales: readonly string[],
  ): EmailContent | Promise<EmailContent>;
}

export const emailKinds: Readonly<Record<EmailKind, Kind>> = {
  available: {
    isDue: ({ status, isExpired }) => status === "available" && !isExpired,
    // A resent email needs its own id, because mail programs discard duplicates.
    idSuffix: ({ resendCount }) => (resendCount === 0 ? "" : `-again-${resendCount}`),
    async compose({ database, secret, publicUrl, walletUrl, pictureOf }, credential, facts, locales) {
      const { mail_text: ownWords } = emailOptions.parse(credential.options);
      const isReplacement = await replacesInvalidated(database, credential);
      return credentialAvailable(
        {
          ...facts,
          // The custom texts don't say that the credential replaces another one, so the email uses the default texts.
          texts: isReplacement ? undefined : facts.texts,
          link: downloadLink(publicUrl, secret, credential),
          page: facts.link,
          wallet: walletUrl?.(credential),
          picture: await pictureOf(credential),
          isReplacement,
          ...(ownWords !== undefined && { ownWords }),
        },
        locales,
      );
    },
  },
  expiry: {
    isDue: ({ status, renewedAt, isExpired }) => status === "available" && !renewedAt && !isExpired,
    idSuffix: ({ days }) => `-expires-${days}`,
    compose(_, { validUntil, printSettings }, facts, locales) {
      if (validUntil === null)
        throw new Error("the credential does not expire, but an expiry email was to be sent");
      const { timeZone } = printSettings;
      return credentialExpiring({ ...facts, lastValid: lastMomentOf(validUntil), timeZone }, locales);
    },
  },
  withdrawal: {
    // If the credential has a successor, the email about the successor says that it replaces this credential.
    isDue: ({ status, replacedBy }) => status === "invalidated" && replacedBy === null,
    idSuffix: () => "-withdrawn",
    compose: (_, { invalidationReason }, facts, locales) =>
      credentialWithdrawn({ ...facts, reason: invalidationReason }, locales),
  },
};

/** Composes the email in the learner's language, or else in the language of the credential. */
export async function composeEmail(
  deps: ComposingDeps,
  { kind }: CredentialEmail,
  credential: Credential,
  locale: string,
): Promise<EmailContent> {
  const { credentialType, learningContextName, printSettings, userFullName, verifyUuid } = credential;
  const { platformName, language } = printSettings;
  const link = verifyUrl(deps.publicUrl, verifyUuid);
  const branding = await emailBranding(deps.brands, credential.learningContextKey);
  const organisation = organisationOf(credential.learningContextKey);
  const texts = (tag: string) => deps.emailTexts.of(organisation, kind, tag);
  const facts = { platformName, credentialType, learningContextName, userFullName, link, branding, texts };
  return emailKinds[kind].compose(deps, credential, facts, [locale, language]);
}

/**
 * Returns whether the credential replaces an invalidated one. A renewal doesn't count, because the earlier credential
 * remains valid.
 */
async function replacesInvalidated({ knex }: Database, { replaces }: Credential): Promise<boolean> {
  return replaces !== null && (await findCredential(knex, replaces))?.status === "invalidated";
}
