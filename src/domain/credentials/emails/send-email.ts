import type { Logger } from "pino";
import { messageIdOf } from "#infrastructure/email/message-id.js";
import type { Mailer } from "#infrastructure/email/transport.js";
import { type ComposingDeps, composeEmail, emailKinds } from "./compose-email.js";
import { closeUnsent } from "./email-store.js";
import { createLookingUp, createRecording } from "./outgoing-email.js";

export interface EmailSendingDeps extends ComposingDeps {
  readonly mailer: Mailer;
  readonly log: Logger;
}

/** @throws Problem `unavailable` if the email may be sent later */
type SendEmail = (mailId: number) => Promise<void>;

/**
 * Creates the function that sends a waiting email. The address and language come from the learner's current record. The
 * email is not sent if it no longer describes the state of the credential, or if the learner has no address or the
 * record was withdrawn. Every attempt has the same Message-ID. A refusal is logged, but the credential does not fail.
 */
export function createSending(sending: EmailSendingDeps): SendEmail {
  const { database, mailer, log } = sending;
  const lookUp = createLookingUp(database);
  const record = createRecording(database);

  return async (mailId) => {
    const found = await lookUp(mailId);
    if (!found) return;
    const { credential, email, recipient } = found;
    const { uuid: credentialUuid } = credential;
    if (credential.erasedAt) {
      await closeUnsent(database.knex, [mailId], "dropped");
      return mailer.forget(credentialUuid);
    }
    if (email.state !== "waiting") return;
    const { isDue, idSuffix } = emailKinds[email.kind];
    if (!isDue(credential)) return closeUnsent(database.knex, [mailId], "dropped");
    if (!recipient) return closeUnsent(database.knex, [mailId], "no_address");
    const answer = await mailer.send({
      ...(await composeEmail(sending, email, credential, recipient.locale)),
      to: { address: recipient.address },
      messageId: messageIdOf(credentialUuid, await mailer.domain(), idSuffix(email)),
    });
    const refusal = answer.outcome === "refused" ? answer.reason : "";
    if (refusal !== "") {
      log.warn({ credentialUuid, reason: refusal, kind: email.kind }, "email about a credential was refused");
    }
    const recorded = await record({ email, outcome: answer.outcome, refusal });
    if (recorded?.isErased) await mailer.forget(credentialUuid);
  };
}
