import type { Logger } from "pino";
import { mailOptions } from "../../configurations/mail-text-option.js";
import type { Database } from "../../db/database.js";
import type { Recipient } from "../../learners/recipient.js";
import { messageIdOf } from "../../mail/message-id.js";
import { credentialAvailable } from "../../mail/messages/credential-available.js";
import type { Mail, Mailer } from "../../mail/transport.js";
import type { Credential } from "../credential.js";
import { findCredential } from "../credential-store.js";
import { verifyUrl } from "../verify-url.js";
import { type Announcement, createLookingUp, createRecording } from "./announcement.js";
import { downloadLink } from "./download-link.js";
import { settleMails } from "./mail-store.js";

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

/** Mails the learner that a credential is available. @see createAnnouncing */
export type AnnounceCredential = (credentialUuid: string) => Promise<void>;

/**
 * Creates the function that mails the learner that the credential is available, unless it no longer is, or the
 * mail was sent and nobody has asked for it again. Address and language come from the learner's current record.
 *
 * No mail is sent if that record is withdrawn or has no address. A refused mail is logged. Neither counts as
 * a fault of the credential.
 *
 * The function throws Problem `unavailable` if the mail may be sent later.
 */
export function createAnnouncing(announcing: AnnouncingDeps): AnnounceCredential {
  const { database, mailer, log } = announcing;
  const lookUp = createLookingUp(database);
  const record = createRecording(database);

  return async (credentialUuid) => {
    const found = await lookUp(credentialUuid);
    if (!found) return;
    const { credential, mail, recipient } = found;
    const drop = (state: "dropped" | "no_address") => settleMails(database.knex, [{ credentialUuid, state }]);
    if (credential.erasedAt) {
      await drop("dropped");
      return mailer.forget(credentialUuid);
    }
    const isSettled = mail ? mail.state !== "waiting" : credential.emailedAt !== null;
    if (isSettled) return;
    if (credential.status !== "available") return void (await drop("dropped"));
    if (!recipient) return void (await drop("no_address"));
    const outcome = await mailer.send(await composeMail(announcing, { credential, mail, recipient }));
    if (outcome.outcome === "refused") {
      log.warn({ credentialUuid, reason: outcome.reason }, "the mail about a credential was refused");
    }
    const recorded = await record({ credentialUuid, outcome: outcome.outcome });
    if (recorded?.isErased) await mailer.forget(credentialUuid);
  };
}

async function composeMail(
  { database, mailDomain, secret, publicUrl, walletUrl }: AnnouncingDeps,
  { credential, mail, recipient }: Announcement & { readonly recipient: Recipient },
): Promise<Mail> {
  const { credentialType, learningContextName, printSettings, userFullName } = credential;
  const { mail_text: ownWords } = mailOptions.parse(credential.options);
  return {
    ...credentialAvailable(
      {
        platformName: printSettings.platformName,
        credentialType,
        learningContextName,
        userFullName,
        link: downloadLink(publicUrl(), secret, credential),
        page: verifyUrl(publicUrl(), credential.verifyUuid),
        wallet: walletUrl?.(credential),
        isReplacement: await isReplacement(database, credential),
        ...(ownWords !== undefined && { ownWords }),
      },
      [recipient.locale, printSettings.language],
    ),
    to: { address: recipient.address },
    messageId: messageIdOf(credential.uuid, mailDomain, mail?.resendCount),
  };
}

/** A credential that renews another one leaves it valid. */
async function isReplacement({ knex }: Database, { replaces }: Credential): Promise<boolean> {
  return replaces !== null && (await findCredential(knex, replaces))?.status === "invalidated";
}
