import type { NodemailerError } from "nodemailer";

/** Why an email was not sent. The server's words are left out, because they often repeat the address. */
interface SmtpFault {
  /** True if retrying is pointless. */
  readonly isFinal: boolean;
  /** True if the server has not judged this recipient or this email. */
  readonly isOutage: boolean;
  /** Example: `RCPT TO failed with 550 5.1.1`. */
  readonly reason: string;
}

/** Failures below SMTP, whose messages only mention hosts, sockets and certificates. */
const connectionCodes: readonly unknown[] = ["ECONNECTION", "ESOCKET", "ETIMEDOUT", "EDNS", "ETLS", "EABORT"];

/** Commands at which a server judges the recipient or the email. */
const MESSAGE_STEPS: readonly unknown[] = ["RCPT TO", "DATA"];

/** Replies that ask the client to log in or to start TLS, or report a wrong order of commands: RFC 4954, 3207, 5321. */
const CLIENT_FAULT_REPLIES = [503, 530, 534, 535, 538];

/**
 * Enhanced status codes (RFC 3463) that blame this client and not the recipient: a bad sender address, and all policy
 * codes. Servers send them at RCPT TO, for every recipient. Once the settings are corrected, the emails can be sent.
 */
const CLIENT_FAULT_STATUS = /^5\.(7\.\d+|1\.[78])$/;

/** Interprets an error of nodemailer. */
export function readSmtpFault(error: NodemailerError): SmtpFault {
  const { responseCode, command = "connection" } = error;
  if (responseCode === undefined) {
    const isOutage = isConnectionFault(error) || error.code === "EAUTH";
    return { isFinal: false, isOutage, reason: reasonWithoutReply(error) };
  }
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(error.response))?.[1] ?? "";
  const isOutage = !MESSAGE_STEPS.includes(command);
  const isFinal =
    responseCode >= 500 &&
    !isOutage &&
    !CLIENT_FAULT_REPLIES.includes(responseCode) &&
    !CLIENT_FAULT_STATUS.test(status);
  return { isFinal, isOutage, reason: `${command} failed with ${responseCode} ${status}`.trimEnd() };
}

function reasonWithoutReply(error: NodemailerError): string {
  const { code, message, name, response } = error;
  if (!isConnectionFault(error)) return String(code ?? name);
  return `${code}: ${response ? message.replace(`: ${response}`, "") : message}`;
}

function isConnectionFault({ code }: NodemailerError): boolean {
  return connectionCodes.includes(code);
}
