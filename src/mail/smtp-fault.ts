import type { NodemailerError } from "nodemailer";

/** What happened to a mail that was not sent, told without the server's words: they tend to repeat the address. */
export interface SmtpFault {
  /** Whether trying again is no use. */
  readonly isFinal: boolean;
  /** Whether the server did not get as far as to speak of this recipient or this mail. */
  readonly isOutage: boolean;
  /** Such as `RCPT TO answered 550 5.1.1`. */
  readonly reason: string;
}

/** Failures below SMTP: their messages tell of hosts, sockets and certificates only. */
const connectionCodes: readonly unknown[] = ["ECONNECTION", "ESOCKET", "ETIMEDOUT", "EDNS", "ETLS", "EABORT"];

/** The steps at which a server speaks of this recipient or this mail. */
const STEPS_OF_ONE_MAIL: readonly unknown[] = ["RCPT TO", "DATA"];

/** Replies that ask us to log in or to begin TLS, or say that commands came in the wrong order: RFC 4954, 3207, 5321. */
const REPLIES_ABOUT_US = [503, 530, 534, 535, 538];

/**
 * Enhanced status codes (RFC 3463) about us: a bad sender's address and all of policy. Servers tell them at RCPT TO, and to
 * every recipient: when the settings have been mended these mails can still go out.
 */
const STATUS_ABOUT_US = /^5\.(7\.\d+|1\.[78])$/;

/** Reads what nodemailer throws. */
export function readSmtpFault(error: NodemailerError): SmtpFault {
  const { responseCode, command = "connection" } = error;
  if (responseCode === undefined) {
    const isOutage = isConnectionFault(error) || error.code === "EAUTH";
    return { isFinal: false, isOutage, reason: reasonWithoutReply(error) };
  }
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(error.response))?.[1] ?? "";
  const isOutage = !STEPS_OF_ONE_MAIL.includes(command);
  const isFinal =
    responseCode >= 500 &&
    !isOutage &&
    !REPLIES_ABOUT_US.includes(responseCode) &&
    !STATUS_ABOUT_US.test(status);
  return { isFinal, isOutage, reason: `${command} answered ${responseCode} ${status}`.trimEnd() };
}

function reasonWithoutReply(error: NodemailerError): string {
  const { code, message, name } = error;
  return isConnectionFault(error) ? `${code}: ${message}` : String(code ?? name);
}

function isConnectionFault({ code }: NodemailerError): boolean {
  return connectionCodes.includes(code);
}
