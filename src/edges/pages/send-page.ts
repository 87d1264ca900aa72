import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { pageScript } from "../../../gen/pages/page-script.js";
import type { Html } from "../http/html.js";
import { sendText } from "../http/send-text.js";
import { style } from "./style.js";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** A page may name a learner, and its path may be a secret: it must not be cached, passed on or indexed. */
const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

/**
 * The policy allows only the style, script and icon that are in the page itself, whatever else gets into it.
 * @param isLoading whether the page also loads a script of this service, which asks the service for what it checks with
 */
function pageHeaders(isLoading: boolean): string[] {
  return Object.entries({
    ...PRIVATE_HEADERS,
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${hashOf(style)}`,
      `script-src ${hashOf(pageScript)}${isLoading ? " 'self'" : ""}`,
      ...(isLoading ? ["connect-src 'self'"] : []),
      "img-src data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "cross-origin-opener-policy": "same-origin",
    vary: "accept-language",
  }).flat();
}

const PAGE_HEADERS = pageHeaders(false);
const LOADING_PAGE_HEADERS = pageHeaders(true);

/** Sends a page, unless the visitor is gone. */
export function sendPage(response: ServerResponse, status: number, page: Html, isLoading = false): void {
  sendText(response, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: isLoading ? LOADING_PAGE_HEADERS : PAGE_HEADERS,
    body: page.html,
  });
}

/** Redirects the visitor, unless they are gone. */
export function sendRedirect(response: ServerResponse, status: 301 | 302 | 303, location: string): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { ...PRIVATE_HEADERS, location, "content-length": 0 }).end();
}
