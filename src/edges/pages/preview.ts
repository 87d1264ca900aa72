import type { PublicRoute } from "#api/pipeline/pipeline.js";
import type { OpenedPreview, OpenPreviewLink } from "#domain/credentials/previews/open-preview-link.js";
import type { PreviewFile } from "#domain/credentials/previews/preview-link-store.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { contentDisposition } from "#infrastructure/files/content-disposition.js";
import { basePathOf } from "../http/base-path.js";
import { fillHtml, html } from "../http/html.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { type HtmlPage, isolatedHtml, layout } from "./layout.js";
import type { NegotiatedLanguage } from "./negotiate-language.js";
import type { PageContext } from "./page-context.js";
import { type PageDeps, pageRoute, type Visit } from "./page-route.js";
import { sendPage, sendRedirect } from "./send-page.js";
import { dayInWords } from "./words-of-dates.js";

/** Only the route's name is logged, because the link is secret. */
const route: PublicRoute = { name: "GET /preview/", kind: "unary" };

/** A preview must not run as a page of this origin. It must not be cached, because it could then outlive its link. */
const FILE_HEADERS = Object.entries({
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
}).flat();

const contentTypes: Record<PreviewFile, string> = { pdf: "application/pdf", png: "image/png" };

/**
 * `GET /preview/<token>/` shows a sample of a design that staff have shared. `preview.png` and `preview.pdf` are below
 * that path. Unknown, expired and revoked links get the same response.
 */
export function previewRoutes(deps: PageDeps, links: OpenPreviewLink): HttpRoute[] {
  const { site, pipeline } = deps;
  const previewRoute = (path: RegExp, answer: (visit: Visit) => Promise<void>) =>
    pageRoute(site, { path, title: "preview", answer });
  return [
    previewRoute(/^\/preview\/([^/]+)\/preview\.(pdf|png)$/, (visit) => sendFile(deps, links, visit)),
    // Programs that find links in text may drop the trailing slash.
    previewRoute(/^\/preview\/([^/]+)$/, ({ path, query, inbound, response }) =>
      pipeline.visit(route, inbound, async () =>
        sendRedirect(response, 301, `${basePathOf(site.publicUrl)}${path}/${query}`),
      ),
    ),
    previewRoute(/^\/preview\/(?:([^/]+)\/)?$/, async ({ groups, inbound, response, say, negotiated }) => {
      const link = await pipeline.visit(route, inbound, () => links.find(groups[0] ?? ""));
      if (link) sendPage(response, 200, previewPage(site, negotiated, link));
      else say(404, negotiated.language.previewGone);
    }),
  ];
}

async function sendFile({ pipeline }: PageDeps, links: OpenPreviewLink, visit: Visit): Promise<void> {
  const { groups, inbound, response, say, negotiated } = visit;
  const [token = "", extension] = groups;
  const file = extension as PreviewFile;
  const body = await pipeline.visit(route, inbound, () => links.read(token, file));
  if (!body) return say(404, negotiated.language.previewGone);
  const named = file === "pdf" ? ["Content-Disposition", contentDisposition("preview.pdf")] : [];
  sendAnswer(response, { contentType: contentTypes[file], headers: [...FILE_HEADERS, ...named], body });
}

function previewPage(site: PageContext, negotiated: NegotiatedLanguage, link: OpenedPreview): HtmlPage {
  const { language } = negotiated;
  const { title, contextName, expiresAt, isPictured, organisation } = link;
  const platformName = plainLine(site.brands.of(organisation).name || site.platformName);
  const name =
    contextName === null ? plainLine(title) : `${plainLine(title)}${language.colon}${plainLine(contextName)}`;
  return layout(site, negotiated, {
    title: language.preview,
    organisation,
    main: html`<article class="card not-found">
<div class="verdict"><div><h1>${language.preview}</h1>
<p>${fillHtml(language.previewMeans, { platformName: isolatedHtml(platformName) })}</p></div></div>
${
  isPictured
    ? html`<p class="picture"><img src="preview.png" alt="${name}" /></p>
`
    : undefined
}<div class="padded own">
<h2>${isolatedHtml(name)}</h2>
<p class="small">${fillHtml(language.previewEnds, { date: html`<bdi>${dayInWords(expiresAt, site.timeZone, language.tag)}</bdi>` })}</p>
<p class="screen"><a class="button" href="preview.pdf">${language.downloadFile}</a></p>
</div>
</article>`,
  });
}
