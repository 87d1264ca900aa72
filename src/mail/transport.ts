import type { SendMailOptions } from "nodemailer";
import type { Logger } from "pino";
import { plainLine } from "../text/plain-line.js";
import type { Outcome } from "./delivery.js";
import { createFileDelivery } from "./file-delivery.js";
import { isPlainAddress, type Mailbox } from "./mailbox.js";
import { isMessageId } from "./message-id.js";
import type { Message } from "./messages/message.js";
import { createSmtpDelivery } from "./smtp-delivery.js";

/** A message to one person. */
export interface Mail extends Message {
  readonly to: Mailbox;
  /** From `messageIdOf`. */
  readonly messageId: string;
}

/** Sends mails. */
export interface Mailer {
  /**
   * Sends a mail to its one recipient. Between the server's answer and the caller's note of it a mail may be sent again:
   * the same Message-ID makes it recognisable.
   * @throws Problem `unavailable` when it may go out later: the server is out of reach, or says so
   */
  send(mail: Mail): Promise<Outcome>;
  /** Removes what is kept of the mail about a credential. */
  forget(credentialUuid: string): Promise<void>;
  /** What is under way is dropped, and throws `unavailable`. */
  close(): Promise<void>;
}

/**
 * Creates the mailer.
 * @param options.smtpUrl as `parseSmtpUrl` takes it; without it mails become files
 * @param options.directory where the files go
 * @param options.from the sender that recipients see, and that bounces go to
 */
export function createMailer(options: {
  smtpUrl: string | undefined;
  directory: string;
  from: Mailbox;
  log: Logger;
}): Mailer {
  const { smtpUrl, directory, from, log } = options;
  const delivery = smtpUrl === undefined ? createFileDelivery(directory) : createSmtpDelivery(smtpUrl);

  return {
    async send(mail) {
      const composed = compose(mail, from);
      const outcome: Outcome = isPlainAddress(mail.to.address)
        ? await delivery.deliver(composed)
        : { outcome: "refused", reason: "the address is not one plain mailbox" };
      log.debug({ messageId: mail.messageId, ...outcome }, "mail handled");
      return outcome;
    },

    forget: delivery.forget,

    close: delivery.close,
  };
}

/** Our own code makes subjects and Message-IDs: a wrong one is a bug. */
function compose({ to, subject, text, html, messageId }: Mail, from: Mailbox) {
  if (!isMessageId(messageId)) throw new Error(`not a Message-ID of ours: ${JSON.stringify(messageId)}`);
  if (/\p{Cc}/u.test(subject)) throw new Error(`the subject of ${messageId} is not one line`);
  return {
    from: addressed(from),
    to: addressed(to),
    subject,
    text,
    html,
    messageId,
    headers: {
      "Auto-Submitted": "auto-generated",
      // Exchange's word for the same: no out-of-office answers.
      "X-Auto-Response-Suppress": "OOF, AutoReply",
    },
    xMailer: false,
    maxRecipients: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SendMailOptions;
}

/**
 * An object: nodemailer would take a text for a list of recipients. A name in quotes that looks like an encoded word would be
 * decoded by many programs all the same, line breaks and all: better none.
 */
function addressed({ address, name = "" }: Mailbox) {
  const shownName = plainLine(name);
  return { address, name: shownName.includes("=?") ? "" : shownName };
}
