import type { Logger } from "pino";
import { mailOptions } from "../../configurations/mail-text-option.js";
import type { Database } from "../../db/database.js";
import { inTransaction, NOBODY_LEAVES } from "../../db/transaction.js";
import { WORKER } from "../../identity/actors.js";
import { findRecipient } from "../../learners/recipient.js";
import type { Outcome } from "../../mail/delivery.js";
import { messageIdOf } from "../../mail/message-id.js";
import { credentialAvailable } from "../../mail/messages/credential-available.js";
import type { Mailer } from "../../mail/transport.js";
import type { Credential } from "../credential.js";
import { findCredential, lockCredential, setEmailed } from "../credential-store.js";
import { findErasedUuid } from "../erasure/erasure-store.js";
import { appendEvents } from "../events/append-events.js";
import { verifyUrl } from "../verify-url.js";
import { downloadLink } from "./download-link.js";
import { findMail, settleMail } from "./mail-store.js";

/** Dependencies for announcing credentials. */
export interface AnnouncingDeps {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly log: Logger;
  /** Domain of the sender's address. */
  readonly mailDomain: string;
  /** Signs the download link. */
  readonly secret: string;
  /** Returns the address that hands a credential to a wallet; undefined if wallets can't have it. */
  readonly walletUrl?: ((credential: Credential) => string | undefined) | undefined;
  /** Base URL of the service, without a trailing slash. */
  publicUrl(): string;
}

/**
 * Mails the learner that the credential is available, unless it no longer is, or the mail was sent and nobody has
 * asked for it again. Address and language come from the learner's current record.
 *
 * No mail is sent if that record is withdrawn or has no address. A refused mail is logged. Neither counts as
 * a fault of the credential.
 * @throws Problem `unavailable` if the mail may be sent later
 */
export async function announceCredential(announcing: AnnouncingDeps, credentialUuid: string): Promise<void> {
  const { database, mailer, log, mailDomain, secret, publicUrl, walletUrl } = announcing;
  const credential = await findCredential(database.knex, credentialUuid);
  if (!credential) return;
  if (credential.erasedAt) {
    await settleMail(database.knex, credentialUuid, "dropped");
    return mailer.forget(credentialUuid);
  }
  const mail = await findMail(database.knex, credentialUuid);
  const isSettled = mail ? mail.state !== "waiting" : credential.emailedAt !== null;
  if (isSettled) return;
  if (credential.status !== "available") return drop("dropped");
  const recipient = await findRecipient(database.knex, credential.username);
  if (!recipient) return drop("no_address");
  const { credentialType, learningContextName, printSettings, userFullName } = credential;
  const { platformName } = printSettings;
  const { mail_text: ownWords } = mailOptions.parse(credential.options);
  const link = downloadLink(publicUrl(), secret, credential);
  const outcome = await mailer.send({
    ...credentialAvailable(
      {
        platformName,
        credentialType,
        learningContextName,
        userFullName,
        link,
        page: verifyUrl(publicUrl(), credential.verifyUuid),
        wallet: walletUrl?.(credential),
        isReplacement: await isReplacement(database, credential),
        ...(ownWords !== undefined && { ownWords }),
      },
      [recipient.locale, printSettings.language],
    ),
    to: { address: recipient.address },
    messageId: messageIdOf(credential.uuid, mailDomain, mail?.resendCount),
  });
  if (outcome.outcome === "refused") {
    log.warn({ credentialUuid, reason: outcome.reason }, "the mail about a credential was refused");
  }
  await keepOutcome(database, credentialUuid, outcome);
  const isErased = (await findErasedUuid(database.knex, { uuid: credentialUuid })) !== undefined;
  if (isErased) await mailer.forget(credentialUuid);

  async function drop(state: "dropped" | "no_address"): Promise<void> {
    await settleMail(database.knex, credentialUuid, state);
  }
}

/** A credential that renews another one leaves it valid. */
async function isReplacement({ knex }: Database, { replaces }: Credential): Promise<boolean> {
  return replaces !== null && (await findCredential(knex, replaces))?.status === "invalidated";
}

/**
 * While the mail was being sent, the credential may have been invalidated, or another worker may have sent
 * the same mail.
 */
function keepOutcome(database: Database, uuid: string, { outcome }: Outcome): Promise<void> {
  return inTransaction(database, NOBODY_LEAVES, async (transaction) => {
    const isSent = outcome === "sent";
    const credential = await lockCredential(transaction, uuid);
    if (!credential || !(await settleMail(transaction, uuid, outcome))) return;
    if (isSent) await setEmailed(transaction, uuid);
    const type = isSent ? "emailed" : "email_refused";
    const { status } = credential;
    await appendEvents(transaction, { type, actor: WORKER, before: status, after: status }, [credential]);
  });
}
