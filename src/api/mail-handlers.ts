import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { BrandSchema } from "../../gen/learning_credentials/v1/configuration_pb.js";
import {
  type CredentialService,
  MailKind,
  MailState,
  type QueuedMailSchema,
} from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { lookOf } from "../credentials/mails/mail-look.js";
import type * as domain from "../credentials/mails/mail-store.js";
import { listMails } from "../credentials/mails/mail-store.js";
import { resendMail } from "../credentials/mails/resend-mail.js";
import { type SampleMail, sampleMail } from "../credentials/mails/sample-mail.js";
import { isUuid } from "../credentials/uuid.js";
import type { Database } from "../db/database.js";
import { inSnapshot } from "../db/transaction.js";
import { invalidField } from "../errors.js";
import { organisationsOf } from "../identity/caller.js";
import type { Handlers } from "../pipeline/handlers.js";
import { checkText } from "../text/check-text.js";
import { quoted } from "../text/quoted.js";
import { parseBrand } from "./brand-handlers.js";
import { nameOf } from "./name-of.js";
import { pageOf, parsePage } from "./page.js";

/** The methods of `CredentialService` for mails. */
export function mailHandlers(
  database: Database,
  settings: SampleMail["settings"],
): Pick<Handlers<typeof CredentialService>, "resendMail" | "listMails" | "previewMail"> {
  return {
    async previewMail({ kind, language, brand, mailText }) {
      const ownWords = checkText("mail_text", mailText, { min: 0, max: 2000, lines: true });
      const look = lookOf(parseBrand(brand ?? create(BrandSchema)));
      return sampleMail({ kind: parseKind(kind), language, look, ownWords, settings }, new Date());
    },

    async resendMail({ uuid }, { signal }) {
      return presentMail(await resendMail(database, uuid, signal));
    },

    async listMails(request, { caller, signal }) {
      const { credentialUuid, username } = request;
      checkText("username", username, { min: 0, max: 255 });
      if (credentialUuid !== "" && !isUuid(credentialUuid)) {
        throw invalidField(
          "credential_uuid",
          `credential_uuid is ${quoted(credentialUuid)}; it must be the uuid of a credential.`,
        );
      }
      const filter = {
        state: parseState(request.state),
        credentialUuid: credentialUuid === "" ? null : credentialUuid,
        username: username === "" ? null : username,
        organisations: organisationsOf(caller),
      };
      const identity = ["mails", filter];
      const page = parsePage(request, identity);
      const rows = await inSnapshot(database, signal, (transaction) =>
        listMails(transaction, filter, page.afterId, page.limit),
      );
      const { shown, nextPageToken } = pageOf(rows, page, identity, ({ id }) => id);
      return { mails: shown.map(presentMail), nextPageToken };
    },
  };
}

const presentedState: Record<domain.MailState, MailState> = {
  waiting: MailState.WAITING,
  sent: MailState.SENT,
  refused: MailState.REFUSED,
  no_address: MailState.NO_ADDRESS,
  dropped: MailState.DROPPED,
};

/** @returns null if none is given */
function parseState(state: MailState): domain.MailState | null {
  if (state === MailState.UNSPECIFIED) return null;
  const found = nameOf(presentedState, state);
  if (found === undefined) throw invalidField("state", `state is ${state}, which is no MailState.`);
  return found;
}

/** @throws Problem `invalid` */
function parseKind(kind: MailKind): domain.MailKind {
  const found = nameOf(presentedKind, kind);
  if (found === undefined) throw invalidField("kind", `kind is ${kind}; it must be a MailKind.`);
  return found;
}

const presentedKind: Record<domain.MailKind, MailKind> = {
  available: MailKind.AVAILABLE,
  expiry: MailKind.EXPIRY,
  withdrawal: MailKind.WITHDRAWAL,
};

function presentMail(mail: domain.CredentialMail): MessageInitShape<typeof QueuedMailSchema> {
  const { credentialUuid, username, learningContextKey, credentialType, resendCount } = mail;
  return {
    credentialUuid,
    username,
    userFullName: mail.userFullName,
    learningContextKey,
    learningContextName: mail.learningContextName,
    credentialType,
    state: presentedState[mail.state],
    queueTime: timestampFromDate(mail.queuedAt),
    changeTime: timestampFromDate(mail.changedAt),
    resendCount,
    kind: presentedKind[mail.kind],
    daysBeforeExpiry: mail.days,
  };
}
