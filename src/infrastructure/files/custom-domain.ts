/**
 * Returns the URL of a custom domain, without a trailing slash.
 * @param customDomain may include a scheme and a path
 */
export function customDomainUrl(customDomain: string): string {
  const url = /^https?:\/\//.test(customDomain) ? customDomain : `https://${customDomain}`;
  return url.replace(/\/+$/, "");
}
