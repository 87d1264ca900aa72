import { findRecipient } from "../../learners/recipient.js";
import { withdrawalNoticeIdOf } from "../../mail/message-id.js";
import { credentialWithdrawn } from "../../mail/messages/credential-withdrawn.js";
import { findCredential } from "../credential-store.js";
import type { AnnouncingDeps } from "../download/announce-credential.js";
import { findErasedUuid } from "../erasure/erasure-store.js";
import { verifyUrl } from "../verify-url.js";

/**
 * Mails the learner that a credential was withdrawn, unless it was replaced: the mail about its successor says that.
 * The Message-ID is the same in every attempt.
 * @throws Problem `unavailable` if the mail may be sent later
 */
export async function sendWithdrawalNotice(
  { database, mailer, log, mailDomain, publicUrl }: AnnouncingDeps,
  credentialUuid: string,
): Promise<void> {
  const credential = await findCredential(database.knex, credentialUuid);
  if (credential?.erasedAt) return mailer.forget(credentialUuid);
  if (credential?.status !== "invalidated" || credential.replacedBy !== null) return;
  const recipient = await findRecipient(database.knex, credential.username);
  if (!recipient) return;
  const { credentialType, learningContextName, printSettings, userFullName } = credential;
  const { platformName, language } = printSettings;
  const outcome = await mailer.send({
    ...credentialWithdrawn(
      {
        platformName,
        credentialType,
        learningContextName,
        userFullName,
        link: verifyUrl(publicUrl(), credential.verifyUuid),
        reason: credential.invalidationReason,
      },
      [recipient.locale, language],
    ),
    to: { address: recipient.address },
    messageId: withdrawalNoticeIdOf(credentialUuid, mailDomain),
  });
  if (outcome.outcome === "refused") {
    log.warn(
      { credentialUuid, reason: outcome.reason },
      "the notice of a credential's withdrawal was refused",
    );
  }
  const isErased = (await findErasedUuid(database.knex, { uuid: credentialUuid })) !== undefined;
  if (isErased) await mailer.forget(credentialUuid);
}
