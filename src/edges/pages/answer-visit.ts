import type { IncomingMessage, ServerResponse } from "node:http";
import { ConnectError } from "@connectrpc/connect";
import type { Inbound } from "../../pipeline/inbound.js";
import type { Pipeline } from "../../pipeline/pipeline.js";
import type { ClientOf } from "../http/client-address.js";
import { type Html, html } from "../http/html.js";
import { httpStatusOf } from "../http/http-status.js";
import { toInbound } from "../http/inbound.js";
import { sendJson } from "../http/send-json.js";
import { layout } from "./layout.js";
import { type NegotiatedLanguage, negotiateLanguage } from "./negotiate-language.js";
import type { PageContext } from "./page-context.js";
import { sendPage } from "./send-page.js";

/** Dependencies of the pages. */
export interface PageDeps {
  readonly site: PageContext;
  readonly pipeline: Pipeline;
  readonly clientOf: ClientOf;
}

/** A request for one of our pages. */
export interface Visit {
  readonly spoken: NegotiatedLanguage;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The call for the pipeline. */
  readonly inbound: Inbound;
  /** Responds with a page of one sentence, under the page's title. */
  say(status: number, sentence: string): void;
}

/**
 * Handles a GET or HEAD request, and responds to any other with 405. If `answer` fails, the page says whether
 * to come back, but no details.
 * @param title key of the page's title
 * @param answer runs in the pipeline, which logs its errors
 * @param forProgram whether programs ask here: they get sentences as `{"detail": "…"}`
 */
export function answerVisit(
  { site, clientOf }: PageDeps,
  title: "verification" | "download" | "myCredentials" | "wallet",
  request: IncomingMessage,
  response: ServerResponse,
  answer: (visit: Visit) => Promise<void>,
  forProgram = false,
): void {
  const spoken = negotiateLanguage(request, site.language);
  const { language } = spoken;
  const say = (status: number, sentence: string) => {
    if (forProgram) sendJson(response, status, { detail: sentence });
    else sendPage(response, status, messagePage(site, spoken, language[title], sentence));
  };
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    say(405, language.onlyGet);
    return;
  }
  const inbound = toInbound(request, response, clientOf(request));
  answer({ spoken, request, response, inbound, say }).catch((error) => {
    if (response.destroyed) return;
    const failure = ConnectError.from(error);
    const status = httpStatusOf(failure);
    const wait = failure.metadata.get("retry-after");
    if (wait !== null) response.setHeader("retry-after", wait);
    if (status === 429) say(429, language.outOfReach);
    else if (status === 503 || status === 504) say(503, language.outOfReach);
    else say(500, language.fault);
  });
}

/** Renders a page with a single message. */
function messagePage(site: PageContext, spoken: NegotiatedLanguage, title: string, sentence: string): Html {
  return layout(site, spoken, {
    title,
    main: html`<section class="card padded">
<h1>${title}</h1>
<p class="explanation">${sentence}</p>
</section>`,
  });
}
