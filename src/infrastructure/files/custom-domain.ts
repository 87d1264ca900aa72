/**
 * Returns the base URL of links to a custom domain, without a trailing slash. The domain may include a scheme
 * and a path.
 */
export function customDomainUrl(customDomain: string): string {
  const url = /^https?:\/\//.test(customDomain) ? customDomain : `https://${customDomain}`;
  return url.replace(/\/+$/, "");
}
