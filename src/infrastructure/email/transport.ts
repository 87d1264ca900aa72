import type { SendMailOptions } from "nodemailer";
import type { Logger } from "pino";
import { plainLine } from "#foundation/text/plain-line.js";
import type { Outcome } from "./delivery.js";
import { createFileDelivery } from "./file-delivery.js";
import { isPlainAddress, type Mailbox } from "./mailbox.js";
import { isMessageId } from "./message-id.js";
import type { Message } from "./messages/message.js";
import { createSmtpDelivery } from "./smtp-delivery.js";

/** A message to one person. */
export interface Email extends Message {
  readonly to: Mailbox;
  /** From `messageIdOf`. */
  readonly messageId: string;
}

/** Sends emails. */
export interface Mailer {
  /**
   * Sends an email to its single recipient. If the process dies after the server's response, before the caller has
   * recorded it, the email may be sent again. The same Message-ID makes the duplicate recognisable.
   * @throws Problem `unavailable` if the email may be sent later: the server can't be reached, or says so
   */
  send(mail: Email): Promise<Outcome>;
  /** Removes stored copies of the email about a credential. */
  forget(credentialUuid: string): Promise<void>;
  /** Drops emails that are being sent; they throw `unavailable`. */
  close(): Promise<void>;
}

/**
 * Creates the mailer.
 * @param options.smtpUrl in the form that `parseSmtpUrl` accepts; without it, emails become files
 * @param options.directory directory for those files
 * @param options.from the sender that recipients see, and that receives bounces
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
      log.debug({ messageId: mail.messageId, ...outcome }, "email sent or refused");
      return outcome;
    },

    forget: delivery.forget,

    close: delivery.close,
  };
}

/** Composes an email. Subjects and Message-IDs are made by this service, so a wrong one is a bug. */
function compose({ to, subject, text, html, logo, picture, messageId }: Email, from: Mailbox) {
  if (!isMessageId(messageId))
    throw new Error(`not a Message-ID of this service: ${JSON.stringify(messageId)}`);
  if (/\p{Cc}/u.test(subject)) throw new Error(`the subject of ${messageId} is not one line`);
  return {
    from: addressed(from),
    to: addressed(to),
    subject,
    text,
    html,
    attachments: [
      ...(logo ? [inline("logo", logo.kind, logo.bytes)] : []),
      ...(picture ? [inline("certificate", "png", picture)] : []),
    ],
    messageId,
    headers: {
      "Auto-Submitted": "auto-generated",
      // Exchange's equivalent: prevents out-of-office replies.
      "X-Auto-Response-Suppress": "OOF, AutoReply",
    },
    xMailer: false,
    maxRecipients: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SendMailOptions;
}

/** Attaches a picture that the HTML shows by its content id. */
function inline(cid: string, kind: "png" | "jpeg", bytes: Uint8Array) {
  return {
    cid,
    filename: `${cid}.${kind}`,
    content: Buffer.from(bytes),
    contentDisposition: "inline" as const,
  };
}

/**
 * Returns an object, because nodemailer would parse a string as a list of recipients. A name that looks like
 * an encoded word is left out: many programs would decode it even in quotes, including line breaks.
 */
function addressed({ address, name = "" }: Mailbox) {
  const shownName = plainLine(name);
  return { address, name: shownName.includes("=?") ? "" : shownName };
}
