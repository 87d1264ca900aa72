import type { CurrentBrand } from "#domain/brands/brand.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { pageScript } from "#gen/pages/page-script.js";
import { type Html, html } from "../http/html.js";
import { brandLinks, brandStyle, logoUrl, masthead } from "./brand.js";
import { favicon } from "./icons.js";
import { type PageLanguage, pageLanguages } from "./languages.js";
import type { NegotiatedLanguage } from "./negotiate-language.js";
import type { PageContext } from "./page-context.js";
import type { SharedLook } from "./shared-look.js";
import { style } from "./style.js";

interface PageContent {
  readonly title: string;
  /** A sentence for previews of a shared link. It must not contain names, because other sites store it. */
  readonly description?: string;
  readonly shared?: SharedLook;
  readonly main: Html;
  readonly footer?: Html;
  /** A script that the page loads from this service. The path is relative. */
  readonly scriptSource?: string;
  /** Omits the links to other languages. Set if the request that led to this page can't be repeated. */
  readonly isOneOff?: boolean;
  /** Query parameters that the links to other languages preserve. */
  readonly query?: Readonly<Record<string, string>>;
  /** The organisation whose brand the page shows. By default, the page shows the brand of the service. */
  readonly organisation?: string;
}

export interface HtmlPage extends Html {
  readonly brand?: CurrentBrand;
}

const inline = (text: string): Html => ({ html: text });

/** Renders a complete page. It loads nothing but its own script and an issuer's logo. */
export function layout(
  site: PageContext,
  { language }: NegotiatedLanguage,
  { title, description, shared, main, footer, scriptSource, query, isOneOff, organisation = "" }: PageContent,
): HtmlPage {
  const brand = site.brands.of(organisation);
  const platformName = plainLine(brand.name || site.platformName);
  const colours = brandStyle(brand);
  const links = brandLinks(language, brand);
  const page = html`<!DOCTYPE html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${title} – ${platformName}</title>
${description === undefined ? undefined : preview(`${title} – ${platformName}`, description, shared, logoUrl(site, brand))}<link rel="icon" href="${favicon}" />
<style>${inline(style)}</style>
${colours === undefined ? undefined : html`<style>${inline(colours.css)}</style>\n`}<script type="module">${inline(pageScript)}</script>
${scriptSource === undefined ? undefined : html`<script type="module" src="${scriptSource}"></script>\n`}</head>
<body>
<header>
${masthead(site, brand)}
</header>
<main>
${main}
</main>
${isOneOff ? undefined : languageLinks(language, query)}${(footer ?? links) && html`<footer>\n${footer}${links}\n</footer>`}
</body>
</html>
`;
  return { ...page, brand };
}

/** Returns the metadata for previews of a shared link: Open Graph (https://ogp.me/) and oEmbed. */
function preview(
  title: string,
  description: string,
  shared: SharedLook | undefined,
  logo: string | undefined,
): Html {
  const image = shared?.card ?? logo;
  const oembed = shared?.oembed;
  return html`<meta name="description" content="${description}" />
<meta property="og:type" content="website" />
<meta property="og:title" content="${title}" />
<meta property="og:description" content="${description}" />
${image === undefined ? undefined : html`<meta property="og:image" content="${image}" />\n`}${shared?.card === undefined ? undefined : html`<meta property="og:image:width" content="1200" />\n<meta property="og:image:height" content="630" />\n<meta property="og:image:alt" content="${description}" />\n<meta name="twitter:card" content="summary_large_image" />\n`}${oembed === undefined ? undefined : html`<link rel="alternate" type="application/json+oembed" href="${oembed}" title="${title}" />\n`}`;
}

function languageLinks(language: PageLanguage, query: PageContent["query"]): Html {
  return html`<nav aria-label="${language.languages}">
<ul>
${pageLanguages.all.map(({ tag, languageName }) => {
  const isCurrent = tag === language.tag ? html` aria-current="true"` : undefined;
  const href = `?${new URLSearchParams({ ...query, lang: tag })}`;
  return html`<li><a href="${href}" lang="${tag}" hreflang="${tag}"${isCurrent}>${languageName}</a></li>
`;
})}</ul>
</nav>
`;
}

/** Isolates text whose writing direction is unknown from the surrounding text. */
export function isolatedHtml(text: string): Html {
  return html`<bdi>${plainLine(text)}</bdi>`;
}
