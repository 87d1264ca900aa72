import { type Html, html } from "../http/html.js";
import { layout } from "./layout.js";
import type { NegotiatedLanguage } from "./negotiate-language.js";
import type { PageContext } from "./page-context.js";

/** Renders a page with a single message. */
export function messagePage(
  site: PageContext,
  spoken: NegotiatedLanguage,
  title: string,
  sentence: string,
): Html {
  return layout(site, spoken, {
    title,
    main: html`<section class="card padded">
<h1>${title}</h1>
<p class="explanation">${sentence}</p>
</section>`,
  });
}
