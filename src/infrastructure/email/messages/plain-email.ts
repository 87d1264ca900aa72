import { escapeHtml } from "#foundation/text/escape-html.js";
import type { EmailContent } from "./message.js";

/** Returns an email in English without branding. Each line is a paragraph. */
export function plainEmail(subject: string, lines: readonly string[]): EmailContent {
  return {
    subject,
    text: `${lines.join("\n\n")}\n`,
    html: `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8" /><title>${escapeHtml(subject)}</title></head>
<body>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n")}</body></html>
`,
  };
}
