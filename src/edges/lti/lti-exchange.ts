import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { Call } from "#api/pipeline/handlers.js";
import type { Lti } from "#domain/lti/lti.js";
import { invalid } from "#foundation/errors.js";
import type { AuditTrail } from "#infrastructure/audit/audit-trail.js";
import type { Html } from "../http/html.js";
import type { Exchange } from "../http/routes.js";
import { mediaTypeOf, readSmallBody } from "../http/small-body.js";
import type { PageLanguage } from "../pages/languages.js";
import { negotiateLanguage } from "../pages/negotiate-language.js";
import type { PageDeps } from "../pages/page-route.js";

export interface LtiEdgeDeps extends PageDeps {
  readonly lti: Lti;
  readonly audit: AuditTrail;
  readonly log: Logger;
}

export interface LtiAnswer {
  /** By default 200. */
  readonly status?: number;
  readonly page: Html;
  /** Origins whose pages may frame the page; by default those in `LtiPageFrame`. */
  readonly frameAncestors?: readonly string[];
  readonly formTarget?: string;
  readonly sendsRequests?: boolean;
  readonly cookies?: readonly string[];
}

/**
 * The language and frame origins of the response. They are set while the request is being handled, and error pages use
 * them, too.
 */
export interface LtiPageFrame {
  language: PageLanguage;
  frameAncestors: readonly string[];
}

export type LtiWork = (
  deps: LtiEdgeDeps,
  exchange: Exchange,
  call: Call,
  pageFrame: LtiPageFrame,
) => Promise<LtiAnswer | URL>;

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (mediaTypeOf(request) !== "application/x-www-form-urlencoded")
    throw invalid("The request must be a form: application/x-www-form-urlencoded.");
  return new URLSearchParams(await readSmallBody(request));
}

export function languageOf({ site }: LtiEdgeDeps, request: IncomingMessage): PageLanguage {
  return negotiateLanguage(request, site.language).language;
}
