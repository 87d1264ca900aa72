import type { ServerResponse } from "node:http";
import type { CurrentBrand } from "#domain/brands/brand.js";
import { pageScript } from "#gen/pages/page-script.js";
import { cspHash } from "../http/csp-hash.js";
import { sendAnswer } from "../http/send-answer.js";
import { brandStyle } from "./brand.js";
import type { HtmlPage } from "./layout.js";
import { style } from "./style.js";

const STYLE_HASH = cspHash(style);
const SCRIPT_HASH = cspHash(pageScript);

/** A page may name a learner, and its path may be secret. It must not be cached or indexed, or sent as a referrer. */
const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

interface Loaded {
  /** Origins whose pages may frame the page; by default none. */
  readonly frameAncestors?: readonly string[];
  /** Another origin to which a form on the page may submit. */
  readonly formTarget?: string | undefined;
  /** Whether the page's script sends requests to the service. */
  readonly sendsRequests?: boolean;
  readonly image?: string | undefined;
}

/**
 * Returns the headers of a page. The content security policy allows only the page's own style and script, and pictures
 * of this service.
 */
function pageHeaders(
  { sendsRequests = false, image, formTarget, frameAncestors = [] }: Loaded,
  brand: CurrentBrand | undefined,
): string[] {
  const colours = brand && brandStyle(brand);
  return Object.entries({
    ...PRIVATE_HEADERS,
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${STYLE_HASH}${colours === undefined ? "" : ` ${colours.hash}`}`,
      `script-src ${SCRIPT_HASH}${sendsRequests ? " 'self'" : ""}`,
      ...(sendsRequests ? ["connect-src 'self'"] : []),
      `img-src 'self' data:${image === undefined ? "" : ` ${sourceOf(image)}`}`,
      `form-action 'self'${formTarget === undefined ? "" : ` ${formTarget}`}`,
      "base-uri 'none'",
      `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`,
    ].join("; "),
    "cross-origin-opener-policy": "same-origin",
    vary: "accept-language",
  }).flat();
}

/** Formats a URL as a source in a content security policy. Omits the query and escapes separators. */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C");
}

/** Sends a page. Does nothing if the visitor has disconnected. */
export function sendPage(
  response: ServerResponse,
  status: number,
  page: HtmlPage,
  loaded: Loaded = {},
): void {
  sendAnswer(response, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: pageHeaders(loaded, page.brand),
    body: page.html,
  });
}

/** Redirects the visitor. Does nothing if they have disconnected. */
export function sendRedirect(response: ServerResponse, status: 301 | 302 | 303, location: string): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { ...PRIVATE_HEADERS, location, "content-length": 0 }).end();
}
