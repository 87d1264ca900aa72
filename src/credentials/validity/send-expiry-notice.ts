import { execute, queryRowOrThrow } from "../../db/query.js";
import { findRecipient } from "../../learners/recipient.js";
import { noticeIdOf } from "../../mail/message-id.js";
import { credentialExpiring } from "../../mail/messages/credential-expiring.js";
import { findCredential } from "../credential-store.js";
import type { AnnouncingDeps } from "../download/announce-credential.js";
import { findErasedUuid } from "../erasure/erasure-store.js";
import { verifyUrl } from "../verify-url.js";
import { lastMomentOf } from "./end-of-validity.js";

/**
 * Mails the learner that a credential is going to expire, unless it was withdrawn, renewed or erased meanwhile, or the mail was
 * sent before. The Message-ID is the same in every attempt.
 * @throws Problem `unavailable` if the mail may be sent later
 */
export async function sendExpiryNotice(
  { database, mailer, log, mailDomain, publicUrl }: AnnouncingDeps,
  { credentialUuid, days }: { readonly credentialUuid: string; readonly days: number },
): Promise<void> {
  const credential = await findCredential(database.knex, credentialUuid);
  if (credential?.erasedAt) return mailer.forget(credentialUuid);
  if (credential?.status !== "available" || credential.renewedAt || credential.isExpired) return;
  const { validUntil, credentialType, learningContextName, printSettings, username, userFullName } =
    credential;
  const { isDue } = await queryRowOrThrow<{ isDue: boolean }>(
    database.knex,
    `select exists (
       select from expiry_notices where credential_uuid = ? and days = ? and sent_at is null
     ) as "isDue"`,
    [credentialUuid, days],
  );
  const recipient = isDue && (await findRecipient(database.knex, username));
  if (validUntil === null || !recipient) return;
  const { platformName, timeZone, language } = printSettings;
  const outcome = await mailer.send({
    ...credentialExpiring(
      {
        platformName,
        credentialType,
        learningContextName,
        userFullName,
        link: verifyUrl(publicUrl(), credential.verifyUuid),
        lastValid: lastMomentOf(validUntil),
        timeZone,
      },
      [recipient.locale, language],
    ),
    to: { address: recipient.address },
    messageId: noticeIdOf(credentialUuid, days, mailDomain),
  });
  if (outcome.outcome === "refused")
    log.warn({ credentialUuid, reason: outcome.reason }, "the notice of a credential's expiry was refused");
  await execute(
    database.knex,
    "update expiry_notices set sent_at = now() where credential_uuid = ? and days = ?",
    [credentialUuid, days],
  );
  const isErased = (await findErasedUuid(database.knex, { uuid: credentialUuid })) !== undefined;
  if (isErased) await mailer.forget(credentialUuid);
}
