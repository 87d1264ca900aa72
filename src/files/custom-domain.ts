/** The base of the links to a custom domain, without a slash at its end. The domain may carry a scheme and a path. */
export function customDomainUrl(customDomain: string): string {
  const url = /^https?:\/\//.test(customDomain) ? customDomain : `https://${customDomain}`;
  return url.replace(/\/+$/, "");
}
