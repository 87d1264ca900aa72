/** Pages of the console are never cached, since each has its own nonce. */
const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Returns the headers of a page of the console. Scripts and styles may only come from this service. The nonce is for
 * the one constant style that React Aria inserts. Only the Trusted Types policy `console` can create script URLs.
 * @returns alternating names and values
 */
export function consoleHeaders(nonce: string): string[] {
  return Object.entries({
    ...PAGE_HEADERS,
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' blob: data:",
      "connect-src 'self'",
      "worker-src 'self'",
      "font-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types console",
    ].join("; "),
  }).flat();
}
