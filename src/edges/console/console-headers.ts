/** Pages must not be cached, because each has its own nonce. */
const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Returns the headers of a console page. The nonce allows a constant style that React Aria inserts, and the styles of
 * previewed emails. Scripts can create script URLs only with the Trusted Types policy `console`. They can create HTML
 * only with the policy `frame`, for a frame without scripts.
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
      "trusted-types console frame",
    ].join("; "),
  }).flat();
}
