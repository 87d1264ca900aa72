import { wrongField } from "#foundation/errors.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type { Knex } from "#infrastructure/db/query.js";
import {
  credentialAvailable,
  credentialWithdrawn,
} from "#infrastructure/email/messages/credential-emails.js";
import type { EmailContent } from "#infrastructure/email/messages/message.js";
import type { Brands } from "../../brands/brands.js";
import { emailOptions } from "../../configurations/email-text-option.js";
import { noSuchConfiguration } from "../../configurations/manage-configurations.js";
import { organisationOf } from "../../learners/organisations.js";
import { findRecipients } from "../../learners/recipient.js";
import { getCredential } from "../get-credential.js";
import { readInputs } from "../issuance/issuance-inputs.js";
import { SAMPLE_CONTEXT, SAMPLE_NAME } from "../samples.js";
import { emailBranding } from "./email-branding.js";
import type { EmailKind } from "./email-store.js";
import type { KnownEmailTexts } from "./email-texts.js";
import { SAMPLE_LINK, SAMPLE_PICTURE } from "./sample-email.js";

/** The change to preview: a withdrawal or reissue of a credential, or the issuing of a new one. */
export type PreviewedChange =
  | { readonly credentialUuid: string; readonly reason: string }
  | { readonly configurationId: number; readonly username: string };

interface PreviewDeps {
  readonly brands: Brands;
  readonly emailTexts: KnownEmailTexts;
  readonly settings: { readonly platformName: string; readonly language: string };
}

/** `address` is empty if the learner has no address. */
type PreviewedEmail = EmailContent & { readonly address: string };

/**
 * Composes the email that a learner would get after the change. Its links lead nowhere.
 * @throws Problem `not-found` for the credential or the configuration; `invalid` if the change never sends emails of
 * this kind
 */
export async function previewEmail(
  transaction: Knex.Transaction,
  deps: PreviewDeps,
  kind: EmailKind,
  change: PreviewedChange,
): Promise<PreviewedEmail> {
  if (kind === "expiry" || (kind === "withdrawal" && "configurationId" in change))
    throw wrongField("kind", "must be EMAIL_KIND_AVAILABLE, or EMAIL_KIND_WITHDRAWAL with credential_uuid.");
  const about = await readSubject(transaction, deps, change);
  const { username, learningContextKey, language, options, ...facts } = about;
  const recipient = (await findRecipients(transaction, [username])).get(username);
  const locales = [recipient?.locale ?? "", language];
  const branding = await emailBranding(deps.brands, learningContextKey);
  const texts = (tag: string) => deps.emailTexts.of(organisationOf(learningContextKey), kind, tag);
  const shared = { ...facts, link: SAMPLE_LINK, branding };
  const address = recipient?.address ?? "";
  if (kind === "withdrawal") {
    const reason = "reason" in change && change.reason !== "" ? change.reason : "…";
    return { ...credentialWithdrawn({ ...shared, texts, reason }, locales), address };
  }
  const isReplacement = "credentialUuid" in change;
  const { mail_text: ownWords } = emailOptions.parse(options);
  const message = credentialAvailable(
    {
      ...shared,
      ...(!isReplacement && { texts }),
      page: SAMPLE_LINK,
      picture: SAMPLE_PICTURE,
      isReplacement,
      ...(ownWords !== undefined && { ownWords }),
    },
    locales,
  );
  return { ...message, address };
}

/** Reads the credential, or makes up the credential that would be issued under the configuration. */
async function readSubject(
  transaction: Knex.Transaction,
  { settings }: PreviewDeps,
  change: PreviewedChange,
) {
  if ("credentialUuid" in change) {
    const credential = await getCredential(transaction, change.credentialUuid);
    const { platformName, language } = credential.printSettings;
    const { username, learningContextKey, learningContextName, credentialType, userFullName } = credential;
    const { options } = credential;
    return {
      platformName,
      language,
      username,
      learningContextKey,
      learningContextName,
      credentialType,
      userFullName,
      options,
    };
  }
  const inputs = await readInputs(transaction, change);
  if (!inputs) throw noSuchConfiguration(change.configurationId);
  return {
    ...settings,
    username: change.username,
    learningContextKey: inputs.learningContextKey,
    learningContextName: inputs.learningContextName || SAMPLE_CONTEXT,
    credentialType: inputs.credentialType,
    userFullName: inputs.userFullName || SAMPLE_NAME,
    options: mergeOptions(inputs.typeOptions, inputs.options),
  };
}
