import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";

const DAY_MS = 86_400_000;

/** RFC 9116, 2.5.5 recommends less than a year. */
const VALID_DAYS = 180;

/**
 * `GET /.well-known/security.txt` (RFC 9116) says where to report a vulnerability.
 * @param contacts URIs; the preferred one first
 * @param publicUrl base URL of the service
 */
export function securityTxtRoute(contacts: readonly string[], publicUrl: string): HttpRoute {
  const path = "/.well-known/security.txt";
  return {
    path,
    answer({ response }) {
      const today = Math.floor(Date.now() / DAY_MS);
      const expires = new Date((today + VALID_DAYS) * DAY_MS).toISOString();
      const lines = [
        ...contacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${expires}`,
        `Canonical: ${publicUrl}${path}`,
      ];
      sendAnswer(response, {
        contentType: "text/plain; charset=utf-8",
        headers: ["Cache-Control", "max-age=86400"],
        body: lines.map((line) => `${line}\n`).join(""),
      });
    },
  };
}
