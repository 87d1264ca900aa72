import type { CurrentBrand } from "#domain/brands/brand.js";
import { accentStyle } from "#foundation/color/legible-accent.js";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { cspHash } from "../http/csp-hash.js";
import { type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";
import type { PageContext } from "./page-context.js";

/** Number of cached styles. Even a busy service shows fewer brands at the same time. */
const MAX_CACHED = 100;

const styles = createBoundedCache<BrandStyle>(MAX_CACHED);

/** The style of a brand's colour. It is added after the common style of all pages. */
interface BrandStyle {
  readonly css: string;
  /** Source expression for a content security policy. */
  readonly hash: string;
}

/** @returns undefined for a brand without a colour */
export function brandStyle({ accentColor }: CurrentBrand): BrandStyle | undefined {
  if (accentColor === "") return undefined;
  return styles(accentColor, () => {
    const css = accentStyle(accentColor);
    return { css, hash: cspHash(css) };
  });
}

export function logoUrl(site: PageContext, { logoSha256 }: CurrentBrand): string | undefined {
  return logoSha256 === null ? undefined : `${site.publicUrl}/brand/${logoSha256}`;
}

/** Renders a brand's logo and name. The logo needs no text alternative, because the name is beside it. */
export function masthead(site: PageContext, brand: CurrentBrand): Html {
  const url = logoUrl(site, brand);
  const logo = url === undefined ? undefined : html`<img class="logo" src="${url}" alt="" />`;
  return html`<p class="platform">${logo}<bdi>${plainLine(brand.name || site.platformName)}</bdi></p>`;
}

/** @param contact an email address or an https URL */
export function contactUrl(contact: string): string {
  return contact.includes("://") ? contact : `mailto:${contact}`;
}

export function brandLinks(language: PageLanguage, { contact, imprintUrl }: CurrentBrand): Html | undefined {
  const links = [
    ...(contact === "" ? [] : [html`<a href="${contactUrl(contact)}">${language.contact}</a>`]),
    ...(imprintUrl === "" ? [] : [html`<a href="${imprintUrl}">${language.imprint}</a>`]),
  ];
  return links.length === 0 ? undefined : html`<p class="brand-links">${links}</p>\n`;
}
