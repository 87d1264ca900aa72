import type { Logger } from "pino";
import { messageIdOf } from "#infrastructure/email/message-id.js";
import type { Mailer } from "#infrastructure/email/transport.js";
import { type ComposingDeps, composeEmail, emailKinds } from "./compose-email.js";
import { settleUnsent } from "./email-store.js";
import { createLookingUp, createRecording } from "./outgoing-email.js";

/** Dependencies for sending emails about credentials. */
export interface SendingDeps extends ComposingDeps {
  readonly mailer: Mailer;
  readonly log: Logger;
  /** Domain of the sender's address. */
  readonly emailDomain: string;
}

/** Sends an email about a credential. @see createSending */
export type SendEmail = (mailId: number) => Promise<void>;

/**
 * Creates the function that sends a pending email, unless its statement is no longer true. Address and language come
 * from the learner's current record. The Message-ID is the same in every attempt.
 *
 * No email is sent if that record is withdrawn or has no address. A refused email is logged. Neither is a failure of
 * the credential.
 *
 * The function throws Problem `unavailable` if the email may be sent later.
 */
export function createSending(sending: SendingDeps): SendEmail {
  const { database, mailer, log, emailDomain } = sending;
  const lookUp = createLookingUp(database);
  const record = createRecording(database);

  return async (mailId) => {
    const found = await lookUp(mailId);
    if (!found) return;
    const { credential, mail, recipient } = found;
    const { uuid: credentialUuid } = credential;
    if (credential.erasedAt) {
      await settleUnsent(database.knex, [mailId], "dropped");
      return mailer.forget(credentialUuid);
    }
    if (mail.state !== "waiting") return;
    const { isDue, idSuffix } = emailKinds[mail.kind];
    if (!isDue(credential)) return settleUnsent(database.knex, [mailId], "dropped");
    if (!recipient) return settleUnsent(database.knex, [mailId], "no_address");
    const answer = await mailer.send({
      ...(await composeEmail(sending, mail, credential, recipient.locale)),
      to: { address: recipient.address },
      messageId: messageIdOf(credentialUuid, emailDomain, idSuffix(mail)),
    });
    const refusal = answer.outcome === "refused" ? answer.reason : "";
    if (refusal !== "") {
      log.warn({ credentialUuid, reason: refusal, kind: mail.kind }, "email about a credential was refused");
    }
    const recorded = await record({ mail, outcome: answer.outcome, refusal });
    if (recorded?.isErased) await mailer.forget(credentialUuid);
  };
}
