import type { Pipeline } from "#api/pipeline/pipeline.js";
import { html } from "../http/html.js";
import { addHeaders, type Exchange, type HttpRoute } from "../http/routes.js";
import { sendJson } from "../http/send-json.js";
import { type HtmlPage, layout } from "./layout.js";
import { type NegotiatedLanguage, negotiateLanguage } from "./negotiate-language.js";
import type { PageContext } from "./page-context.js";
import { sendPage } from "./send-page.js";

export interface PageDeps {
  readonly site: PageContext;
  readonly pipeline: Pipeline;
}

export interface Visit extends Exchange {
  readonly negotiated: NegotiatedLanguage;
  /** Sends a page with the route's title and one sentence. */
  say(status: number, sentence: string): void;
}

interface PageRoute extends Pick<HttpRoute, "path" | "isFor" | "methods"> {
  readonly title: "verification" | "download" | "myCredentials" | "preview" | "wallet";
  /** Must run in the pipeline, which logs errors. */
  answer(visit: Visit): Promise<void>;
  /** Returns whether the client is a program. Programs get errors as `{"detail": "…"}`. By default false. */
  isProgram?(exchange: Exchange): boolean;
}

/**
 * Creates the route of a page. If `answer` fails, the visitor gets a page that says whether to retry, without details.
 */
export function pageRoute(site: PageContext, { title, answer, isProgram, ...route }: PageRoute): HttpRoute {
  const visitOf = (exchange: Exchange): Visit => {
    const { request, response } = exchange;
    const negotiated = negotiateLanguage(request, site.language);
    const say = (status: number, sentence: string) => {
      if (isProgram?.(exchange)) sendJson(response, status, { detail: sentence });
      else sendPage(response, status, messagePage(site, negotiated, negotiated.language[title], sentence));
    };
    return { ...exchange, negotiated, say };
  };
  return {
    ...route,
    answer: (exchange) => answer(visitOf(exchange)),
    refuse(exchange, { status, headers }) {
      const { negotiated, say, response } = visitOf(exchange);
      const { onlyGet, outOfReach, fault } = negotiated.language;
      addHeaders(response, headers);
      if (status === 405) say(405, onlyGet);
      else if (status === 429) say(429, outOfReach);
      else if (status === 503 || status === 504) say(503, outOfReach);
      else say(500, fault);
    },
  };
}

function messagePage(
  site: PageContext,
  negotiated: NegotiatedLanguage,
  title: string,
  sentence: string,
): HtmlPage {
  return layout(site, negotiated, {
    title,
    main: html`<section class="card padded">
<h1>${title}</h1>
<p class="explanation">${sentence}</p>
</section>`,
  });
}
