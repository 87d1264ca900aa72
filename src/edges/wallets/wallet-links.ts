import type { IncomingMessage } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Call } from "#api/pipeline/handlers.js";
import type { PublicRoute } from "#api/pipeline/pipeline.js";
import type { WalletLinks } from "#domain/credentials/wallets/wallet-links.js";
import { invalid } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import { acceptedWeight, HTML_PATTERN, JSON_PATTERN } from "../http/accept.js";
import type { Cors } from "../http/cors.js";
import { httpStatusOf } from "../http/http-status.js";
import type { HttpRoute } from "../http/routes.js";
import { sendJson } from "../http/send-json.js";
import { mediaTypeOf, readSmallBody } from "../http/small-body.js";
import { type PageDeps, pageRoute, type Visit } from "../pages/page-route.js";
import { sendPage } from "../pages/send-page.js";
import { whyNoBadge } from "../pages/why-no-badge.js";
import { walletPage } from "./wallet-page.js";

interface WalletLinkDeps extends PageDeps {
  readonly cors: Cors;
  readonly links: WalletLinks;
}

type Json = Readonly<Record<string, unknown>>;

/** The URL is secret. Its response depends on `Accept`: browsers get a page, and wallets get JSON. */
const PRIVATE_HEADERS = ["Vary", "Accept", "Referrer-Policy", "no-referrer"];

/** Only the route's name is logged, because the token is secret. */
const visitRoute: PublicRoute = { name: "GET /wallet/", kind: "unary" };
const offerRoute: PublicRoute = { name: "GET /wallet/offer", kind: "unary" };
const exchangeRoute: PublicRoute = { name: "POST /wallet/exchange", kind: "unary" };

/**
 * Serves one link for all wallets, an interaction URL (VCALM 1.0, 3.7). `GET /wallet/<token>/` returns a page or, to
 * wallets that accept JSON, the supported protocols. `GET …/offer` returns an offer for OpenID4VCI. `POST …/exchange`
 * runs an exchange of the VC-API. Any origin may use these routes.
 */
export function walletLinkRoutes(deps: WalletLinkDeps): HttpRoute[] {
  const { site, pipeline, cors, links } = deps;
  const route = (
    path: RegExp,
    visited: PublicRoute,
    respond: (token: string, call: Call, request: IncomingMessage) => Promise<Json>,
  ): HttpRoute => ({
    path,
    methods: visited === exchangeRoute ? ["POST"] : ["GET", "HEAD"],
    cors,
    headers: PRIVATE_HEADERS,
    async answer({ groups: [token = ""], request, response, headers, inbound }) {
      const body = await pipeline.visit(visited, inbound, (call) => respond(token, call, request));
      sendJson(response, 200, body, headers);
    },
  });
  // Email clients may drop the trailing slash.
  const path = /^\/wallet\/([\w-]{1,200})\/?$/;
  const protocols = async (token: string, { signal }: Call) => ({
    protocols: await links.protocols(token, signal),
  });
  return [
    route(/^\/wallet\/([\w-]{1,200})\/offer$/, offerRoute, (token, { signal }) => links.offer(token, signal)),
    route(/^\/wallet\/([\w-]{1,200})\/exchange$/, exchangeRoute, async (token, { signal }, request) => {
      await checkInitiation(request);
      return links.exchange(token, signal);
    }),
    { ...route(path, visitRoute, protocols), isFor: asksForJson },
    pageRoute(site, { path, title: "wallet", answer: (visit) => answerPage(deps, visit) }),
  ];
}

/** Browsers request HTML, and wallets request JSON. If a client accepts both, the higher weight decides. */
function asksForJson({ method, headers: { accept } }: IncomingMessage): boolean {
  return method === "OPTIONS" || acceptedWeight(accept, JSON_PATTERN) > acceptedWeight(accept, HTML_PATTERN);
}

async function answerPage({ site, pipeline, links }: WalletLinkDeps, visit: Visit): Promise<void> {
  const {
    groups: [token = ""],
    negotiated,
    response,
    inbound,
    say,
  } = visit;
  try {
    const protocols = await pipeline.visit(visitRoute, inbound, ({ signal }) =>
      links.protocols(token, signal),
    );
    const url = `${site.publicUrl}/wallet/${token}/?iuv=1`;
    sendPage(response, 200, await walletPage(site, negotiated, { url, protocols }));
  } catch (error) {
    const failure = ConnectError.from(error);
    const why = whyNoBadge(failure, negotiated.language);
    if (failure.code === Code.NotFound) say(404, negotiated.language.linkLeadsNowhere);
    else if (why !== undefined) say(httpStatusOf(failure), why);
    else if (failure.code === Code.FailedPrecondition)
      say(httpStatusOf(failure), negotiated.language.downloadUnavailable);
    else throw error;
  }
}

/** Checks that the message that starts an exchange is empty, because the wallet has nothing to present. */
async function checkInitiation(request: IncomingMessage): Promise<void> {
  const text = await readSmallBody(request);
  if (text.trim() === "") return;
  if (mediaTypeOf(request) !== "application/json") throw invalid("The body must be application/json.");
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    throw invalid("The body is not JSON.", error);
  }
  if (!isObject(message) || Object.keys(message).length > 0)
    throw invalid("The message must be {}: this exchange requests no presentation.");
}
