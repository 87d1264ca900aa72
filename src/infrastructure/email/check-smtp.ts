import { createTransport, type NodemailerError } from "nodemailer";
import { Problem } from "#foundation/errors.js";
import { readSmtpFault } from "./smtp-fault.js";
import { smtpOptions } from "./smtp-options.js";

/** Maximum time without a response of the server. */
const SILENCE_TIMEOUT_MS = 10_000;

/**
 * Connects to the server at `SMTP_URL`, starts TLS and logs in as for an email, but sends none.
 * @throws Problem `unavailable` with the step that failed, without the server's words
 */
export async function checkSmtp(smtpUrl: string): Promise<void> {
  try {
    await createTransport({ ...smtpOptions(smtpUrl), socketTimeout: SILENCE_TIMEOUT_MS }).verify();
  } catch (error) {
    throw new Problem("unavailable", readSmtpFault(error as NodemailerError).reason);
  }
}
