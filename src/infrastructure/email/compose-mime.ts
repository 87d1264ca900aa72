import type { SendMailOptions } from "nodemailer";
import { plainLine } from "#foundation/text/plain-line.js";
import type { Mailbox } from "./mailbox.js";
import { isMessageId } from "./message-id.js";
import type { EmailContent } from "./messages/message.js";

/** A message to one person. */
export interface Email extends EmailContent {
  readonly to: Mailbox;
  /** From `messageIdOf`. */
  readonly messageId: string;
}

/** Composes an email. This service creates subjects and Message-IDs, so an invalid one is a bug. */
export function composeMime({ to, subject, text, html, logo, picture, messageId }: Email, from: Mailbox) {
  if (!isMessageId(messageId))
    throw new Error(`not a Message-ID of this service: ${JSON.stringify(messageId)}`);
  if (/\p{Cc}/u.test(subject))
    throw new Error(`the subject of ${messageId} contains a control character, for example a line break`);
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
      // Prevents out-of-office replies from Exchange, which doesn't follow Auto-Submitted.
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
 * Returns an object, because nodemailer would parse a string as a list of recipients. Omits a name that looks like an
 * encoded word: many programs would decode the word even in quotes, and the decoded text may contain line breaks.
 */
function addressed({ address, name = "" }: Mailbox) {
  const shownName = plainLine(name);
  return { address, name: shownName.includes("=?") ? "" : shownName };
}
