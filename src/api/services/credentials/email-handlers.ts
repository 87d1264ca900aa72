import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Brands } from "#domain/brands/brands.js";
import { etagOfEmailTexts } from "#domain/configurations/etag.js";
import {
  changeEmailTexts,
  checkEmailText,
  type OwnEmailTexts,
} from "#domain/credentials/emails/change-email-texts.js";
import { brandingOf } from "#domain/credentials/emails/email-branding.js";
import type * as domain from "#domain/credentials/emails/email-store.js";
import { listEmails } from "#domain/credentials/emails/email-store.js";
import {
  type EmailText,
  type KnownEmailTexts,
  readEmailTexts,
} from "#domain/credentials/emails/email-texts.js";
import { type PreviewedChange, previewEmail } from "#domain/credentials/emails/preview-email.js";
import { resendEmail } from "#domain/credentials/emails/resend-email.js";
import { type SampleEmail, sampleEmail } from "#domain/credentials/emails/sample-email.js";
import { readLearnerQuery } from "#domain/learners/learner-query.js";
import { wrongField } from "#foundation/errors.js";
import { languageTags } from "#foundation/languages/list.js";
import { MAX_NAME, MAX_QUERY, MAX_REASON } from "#foundation/limits.js";
import { checkShownText, checkText } from "#foundation/text/check-text.js";
import { BrandSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  type CredentialService,
  EmailKind,
  EmailKindSchema,
  EmailState,
  EmailStateSchema,
  type EmailText as EmailTextMessage,
  EmailTextSchema,
  type EmailTextsSchema,
  type PreviewEmailRequest,
  type QueuedEmailSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Database, inSearch, inSnapshot, inTransaction } from "#infrastructure/db/database.js";
import { usualTexts } from "#infrastructure/email/messages/credential-emails.js";
import { emailPlaceholders } from "#infrastructure/email/messages/email-placeholders.js";
import type { EmailContent } from "#infrastructure/email/messages/message.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Handlers } from "../../pipeline/handlers.js";
import {
  parseBrand,
  parseOrganisation,
  refuseForeignOrganisation,
} from "../configurations/brand-handlers.js";
import { checkId, checkPresent, checkUuid } from "../requests/check-request.js";
import { readPage } from "../requests/page.js";
import { numbersByName, parseEnum, parseOptionalEnum } from "../requests/parse-enum.js";

export function emailHandlers(
  database: Database,
  {
    brands,
    emailTexts,
    settings,
  }: { brands: Brands; emailTexts: KnownEmailTexts; settings: SampleEmail["settings"] },
) {
  return {
    async previewEmail({ kind: requested, language, brand, mailText, text, ...about }, { signal }) {
      const kind = parseKind(requested);
      const change = parseChange(about);
      if (change) {
        const { address, ...email } = await inTransaction(database, signal, (transaction) =>
          previewEmail(transaction, { brands, emailTexts, settings }, kind, change),
        );
        return { ...presentMessage(email), recipientAddress: address };
      }
      const ownWords = checkText("mail_text", mailText, { min: 0, max: 2000, lines: true });
      const parsed = parseBrand(brand ?? create(BrandSchema));
      const branding = brandingOf(parsed, await brands.logoNamed(parsed.logo));
      const texts = checkEmailText({ ...(text ?? create(EmailTextSchema)), kind, language }, "text");
      const usual = usualTexts(kind, [language, settings.language]);
      return {
        ...presentMessage(sampleEmail({ kind, language, branding, ownWords, texts, settings }, new Date())),
        usual: { ...usual, kind: requested, language },
        placeholders: [...emailPlaceholders[kind]],
      };
    },

    async getEmailTexts({ organisation: requested }, { caller, signal }) {
      const organisation = parseOrganisation("organisation", requested);
      if (organisation !== "") refuseForeignOrganisation("organisation", organisation, caller);
      const texts = await inSnapshot(database, signal, (transaction) =>
        readEmailTexts(transaction, organisation),
      );
      return presentTexts({ organisation, texts });
    },

    async updateEmailTexts(request, call) {
      const { organisation: requested, texts, etag } = checkPresent("email_texts", request.emailTexts);
      const organisation = parseOrganisation("email_texts.organisation", requested);
      refuseForeignOrganisation("email_texts.organisation", organisation, call.caller);
      if (texts.length > MAX_TEXTS)
        throw wrongField(
          "email_texts.texts",
          `has ${texts.length} entries; at most ${MAX_TEXTS} are accepted, one for each kind and language.`,
        );
      const change = { organisation, texts: texts.map(parseText), etag };
      const { before, after } = await changeEmailTexts(database, change, call.signal);
      call.changed(`mail-texts:${organisation}`, { texts: before }, { texts: after });
      await emailTexts.refresh();
      return presentTexts({ organisation, texts: after });
    },

    async resendEmail({ uuid }, { signal }) {
      return presentEmail(await resendEmail(database, uuid, signal));
    },

    async listEmails(request, { caller, signal }) {
      const { credentialUuid, username, query } = request;
      checkText("query", query, { min: 0, max: MAX_QUERY });
      checkText("username", username, { min: 0, max: MAX_NAME });
      if (credentialUuid !== "") checkUuid("credential_uuid", credentialUuid, "the uuid of a credential");
      const filter = {
        state: parseOptionalEnum("state", presentedState, request.state, EmailStateSchema) ?? null,
        credentialUuid: credentialUuid === "" ? null : credentialUuid,
        username: username === "" ? null : username,
        learner: readLearnerQuery(query),
        organisations: organisationsOf(caller),
      };
      const { shown, nextPageToken } = await readPage(request, ["emails", filter], ({ afterId, limit }) =>
        inSearch(database, signal, (transaction) => listEmails(transaction, filter, afterId, limit)),
      );
      return { emails: shown.map(presentEmail), nextPageToken };
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

function presentMessage({ subject, text, html, logo, picture }: EmailContent) {
  const images = [
    ...(logo ? [{ contentId: "logo", contentType: `image/${logo.kind}`, content: logo.bytes }] : []),
    ...(picture ? [{ contentId: "certificate", contentType: "image/svg+xml", content: picture }] : []),
  ];
  return { subject, text, html, images };
}

/** Each kind of email has one text per language. */
const MAX_TEXTS = Object.keys(emailPlaceholders).length * languageTags.length;

function parseText({ kind, language, subject, heading, introduction }: EmailTextMessage): EmailText {
  return { kind: parseKind(kind), language, subject, heading, introduction };
}

function presentTexts({ organisation, texts }: OwnEmailTexts): MessageInitShape<typeof EmailTextsSchema> {
  return {
    organisation,
    texts: texts.map((text) => ({ ...text, kind: presentedKind[text.kind] })),
    etag: etagOfEmailTexts(organisation, texts),
  };
}

const presentedState = numbersByName(EmailState);

/** @throws Problem `invalid` if the kind is unknown */
function parseKind(kind: EmailKind): domain.EmailKind {
  return parseEnum("kind", presentedKind, kind, EmailKindSchema);
}

/** Returns the change that the previewed email will be about; undefined to preview a sample. */
function parseChange({
  credentialUuid,
  reason,
  configurationId,
  username,
}: Pick<PreviewEmailRequest, "credentialUuid" | "reason" | "configurationId" | "username">):
  | PreviewedChange
  | undefined {
  if (credentialUuid !== "") {
    return { credentialUuid, reason: checkShownText("reason", reason, { min: 0, max: MAX_REASON }) };
  }
  if (configurationId === 0) return undefined;
  checkId("configuration_id", configurationId);
  return { configurationId, username: checkText("username", username, { min: 0, max: MAX_NAME }) };
}

const presentedKind = numbersByName(EmailKind);

function presentEmail(email: domain.CredentialEmail): MessageInitShape<typeof QueuedEmailSchema> {
  const { credentialUuid, username, learningContextKey, credentialType, resendCount } = email;
  return {
    credentialUuid,
    username,
    userFullName: email.userFullName,
    learningContextKey,
    learningContextName: email.learningContextName,
    credentialType,
    state: presentedState[email.state],
    queueTime: timestampFromDate(email.queuedAt),
    changeTime: timestampFromDate(email.changedAt),
    resendCount,
    kind: presentedKind[email.kind],
    daysBeforeExpiry: email.days,
    refusal: email.refusal,
  };
}
