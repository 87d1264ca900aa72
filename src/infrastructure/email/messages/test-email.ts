import { plainLine } from "#foundation/text/plain-line.js";
import type { EmailContent } from "./message.js";
import { plainEmail } from "./plain-email.js";

/** Returns the email with which administrators test a server. It is in English, like the results of checks. */
export function testEmail(platformName: string, publicUrl: string): EmailContent {
  const name = plainLine(platformName);
  const subject = `${name}: test email`;
  return plainEmail(subject, [
    `This is a test email from ${name}, sent by an administrator at ${publicUrl}.`,
    "It arrived, so the service can send emails with these settings. You don't need to do anything.",
  ]);
}
