import { escapeHtml } from "#foundation/text/escape-html.js";
import { plainLine } from "#foundation/text/plain-line.js";
import type { Message } from "./message.js";

/** Returns the email with which administrators test a server. It is in English, like the results of checks. */
export function testEmail(platformName: string, publicUrl: string): Message {
  const name = plainLine(platformName);
  const subject = `${name}: test email`;
  const lines = [
    `This is a test email from ${name}, sent by an administrator at ${publicUrl}.`,
    "It arrived, so the service can send emails with these settings. You don't need to do anything.",
  ];
  return {
    subject,
    text: `${lines.join("\n\n")}\n`,
    html: `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8" /><title>${escapeHtml(subject)}</title></head>
<body>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n")}</body></html>
`,
  };
}
