import type { ServerResponse } from "node:http";
import type { CurrentBrand } from "#domain/brands/brand.js";
import { pageScript } from "#gen/pages/page-script.js";
import { cspHash } from "../http/csp-hash.js";
import { sendAnswer } from "../http/send-answer.js";
import { brandStyle } from "./brand.js";
import type { Page } from "./layout.js";
import { style } from "./style.js";

const STYLE_HASH = cspHash(style);
const SCRIPT_HASH = cspHash(pageScript);

/** A page may name a learner, and its path may be a secret: it must not be cached, passed on or indexed. */
const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

/** What a page loads besides what is in it, and where it may be. */
interface Loaded {
  /** Origins whose pages may hold it in a frame. Default: none */
  readonly frameAncestors?: readonly string[];
  /** An origin to which a form of it leads, besides this one. */
  readonly formTarget?: string | undefined;
  /** Whether it loads a script of this service, which asks the service for what it checks with. */
  readonly isLoading?: boolean;
  /** The address of the issuer's logo. */
  readonly image?: string | undefined;
}

/**
 * The policy allows only the style and script that are in the page itself, and pictures of this service, whatever else gets
 * into it.
 */
function pageHeaders(
  { isLoading = false, image, formTarget, frameAncestors = [] }: Loaded,
  brand: CurrentBrand | undefined,
): string[] {
  const colours = brand && brandStyle(brand);
  return Object.entries({
    ...PRIVATE_HEADERS,
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${STYLE_HASH}${colours === undefined ? "" : ` ${colours.hash}`}`,
      `script-src ${SCRIPT_HASH}${isLoading ? " 'self'" : ""}`,
      ...(isLoading ? ["connect-src 'self'"] : []),
      `img-src 'self' data:${image === undefined ? "" : ` ${sourceOf(image)}`}`,
      `form-action 'self'${formTarget === undefined ? "" : ` ${formTarget}`}`,
      "base-uri 'none'",
      `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`,
    ].join("; "),
    "cross-origin-opener-policy": "same-origin",
    vary: "accept-language",
  }).flat();
}

/** An address as a policy has it: without a query, and with what separates sources escaped. */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C");
}

/** Sends a page, unless the visitor is gone. */
export function sendPage(response: ServerResponse, status: number, page: Page, loaded: Loaded = {}): void {
  sendAnswer(response, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: pageHeaders(loaded, page.brand),
    body: page.html,
  });
}

/** Redirects the visitor, unless they are gone. */
export function sendRedirect(response: ServerResponse, status: 301 | 302 | 303, location: string): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { ...PRIVATE_HEADERS, location, "content-length": 0 }).end();
}
