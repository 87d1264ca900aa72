import { verifyUrlBase } from "#domain/credentials/verify-url.js";
import { truncate } from "#foundation/shorten.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { fillHtml, html } from "../http/html.js";
import { anyFile, CHECK_FILE_PATH } from "./any-file.js";
import { type HtmlPage, layout } from "./layout.js";
import type { NegotiatedLanguage } from "./negotiate-language.js";
import type { PageContext } from "./page-context.js";

const EXAMPLE = "f58a4a10-67c4-42c7-9081-22078fceac85";

/** Maximum length of input that the page repeats. All accepted UUIDs and URLs are shorter. */
const MAX_REPEATED_LENGTH = 500;

/**
 * The form for entering a verification UUID.
 * @param site includes the keys of the service's logs, which are needed to check proofs
 * @param unreadable previous input that could not be read
 */
export function verifyForm(
  site: PageContext & { readonly logKeys: readonly string[] | undefined },
  negotiated: NegotiatedLanguage,
  unreadable?: string,
): HtmlPage {
  const { language } = negotiated;
  const ltr = (text: string) => html`<bdi dir="ltr">${text}</bdi>`;
  const address = ltr(verifyUrlBase(site.publicUrl));
  const repeated = unreadable && plainLine(truncate(unreadable, MAX_REPEATED_LENGTH));
  const storedLanguage =
    negotiated.query === "" ? undefined : html`<input type="hidden" name="lang" value="${language.tag}" />\n`;
  const complaint =
    unreadable === undefined
      ? undefined
      : html`<p class="wrong" id="wrong" role="alert">${fillHtml(language.unreadableIdentifier, { address })}</p>\n`;
  const main = html`<section class="card padded" aria-labelledby="form">
<h1 id="form">${language.form}</h1>
<p class="explanation">${language.formMeans}</p>
${complaint}<form method="get">
<div class="field"><label for="id">${language.identifier}</label>
<input id="id" name="id" type="text" dir="ltr" required="" autocomplete="off" autocapitalize="off" spellcheck="false"${
    repeated === undefined ? undefined : html` value="${repeated}" aria-invalid="true"`
  } aria-describedby="${complaint ? "wrong " : ""}example" /></div>
${storedLanguage}<button>${language.verify}</button>
</form>
<p class="small" id="example">${fillHtml(language.formExample, { address: ltr(EXAMPLE) })}</p>
</section>
${anyFile(language, site)}`;
  const footer = html`<p>${fillHtml(language.trustAddress, { address })}</p>`;
  return layout(site, negotiated, {
    title: language.form,
    main,
    footer,
    scriptSource: CHECK_FILE_PATH.slice("/verify/".length),
    ...(repeated !== undefined && { query: { id: repeated } }),
  });
}
