import type { IncomingMessage, ServerResponse } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { WalletLinks } from "../../credentials/wallets/wallet-links.js";
import { invalid } from "../../errors.js";
import type { Call } from "../../pipeline/handlers.js";
import type { PublicRoute } from "../../pipeline/pipeline.js";
import type { Cors } from "../http/cors.js";
import { httpStatusOf } from "../http/http-status.js";
import { toInbound } from "../http/inbound.js";
import { sendFailure, sendJson } from "../http/send-json.js";
import type { HttpHandler } from "../http/server.js";
import { mediaTypeOf, readSmallBody } from "../http/small-body.js";
import { answerVisit, type PageDeps, type Visit } from "../pages/answer-visit.js";
import { sendPage } from "../pages/send-page.js";
import { whyNoBadge } from "../pages/why-no-badge.js";
import { walletPage } from "./wallet-page.js";

/** Dependencies for links that hand badges to wallets. */
export interface WalletLinkDeps extends PageDeps {
  readonly cors: Cors;
  readonly links: WalletLinks;
}

type Json = Readonly<Record<string, unknown>>;

/** The address is a secret. Browsers get a page there, and wallets JSON. */
const PRIVATE = ["Vary", "Accept", "Referrer-Policy", "no-referrer"];

/** Mail programs may drop the trailing slash. */
const linkPath = /^\/wallet\/([\w-]{1,200})(?:\/(offer|exchange)?)?(?:\?|$)/;

/** The token is a secret, so the log has only the route's name. */
const pageRoute: PublicRoute = { name: "GET /wallet/", kind: "unary" };
const offerRoute: PublicRoute = { name: "GET /wallet/offer", kind: "unary" };
const exchangeRoute: PublicRoute = { name: "POST /wallet/exchange", kind: "unary" };

/**
 * The one link for all wallets, an interaction URL (VCALM 1.0, 3.7). `GET /wallet/<token>/` is a page for people,
 * and for wallets, which accept JSON, the protocols. `GET …/offer` is an offer for OpenID4VCI, and
 * `POST …/exchange` an exchange of the VC-API. Wallets may ask from any origin.
 */
export function createWalletLinkHandler(deps: WalletLinkDeps): HttpHandler {
  const { links } = deps;
  return (request, response) => {
    const [, token, part] = linkPath.exec(request.url ?? "") ?? [];
    if (token === undefined) return false;
    if (part === "offer") {
      void answerJson(deps, offerRoute, ["GET", "HEAD"], request, response, ({ signal }) =>
        links.offer(token, signal),
      );
    } else if (part === "exchange") {
      void answerJson(deps, exchangeRoute, ["POST"], request, response, async ({ signal }) => {
        await checkInitiation(request);
        return links.exchange(token, signal);
      });
    } else if (asksForJson(request)) {
      void answerJson(deps, pageRoute, ["GET", "HEAD"], request, response, async ({ signal }) => ({
        protocols: await links.protocols(token, signal),
      }));
    } else {
      answerVisit(deps, "wallet", request, response, (visit) => answerPage(deps, token, visit));
    }
    return true;
  };
}

/** Browsers accept everything, but name HTML. */
function asksForJson({ method, headers: { accept = "" } }: IncomingMessage): boolean {
  return (
    method === "OPTIONS" || (/\bapplication\/(?:\w+\+)?json\b/.test(accept) && !accept.includes("text/html"))
  );
}

async function answerPage(
  { site, pipeline, links }: WalletLinkDeps,
  token: string,
  visit: Visit,
): Promise<void> {
  const { spoken, response, inbound, say } = visit;
  try {
    const protocols = await pipeline.visit(pageRoute, inbound, ({ signal }) =>
      links.protocols(token, signal),
    );
    const url = `${site.publicUrl()}/wallet/${token}/?iuv=1`;
    sendPage(response, 200, await walletPage(site, spoken, { url, protocols }));
  } catch (error) {
    const failure = ConnectError.from(error);
    const why = whyNoBadge(failure, spoken.language);
    if (failure.code === Code.NotFound) say(404, spoken.language.linkLeadsNowhere);
    else if (why !== undefined) say(httpStatusOf(failure), why);
    else if (failure.code === Code.FailedPrecondition)
      say(httpStatusOf(failure), spoken.language.downloadUnavailable);
    else throw error;
  }
}

/** An exchange is begun with an empty message. This one asks for nothing, so no wallet has anything to send. */
async function checkInitiation(request: IncomingMessage): Promise<void> {
  const text = await readSmallBody(request);
  if (text.trim() === "") return;
  if (mediaTypeOf(request) !== "application/json") throw invalid("The body has to be application/json.");
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    throw invalid("The body is not JSON.", error);
  }
  const isEmpty =
    typeof message === "object" &&
    message !== null &&
    !Array.isArray(message) &&
    Object.keys(message).length === 0;
  if (!isEmpty) throw invalid("The message has to be {}: this exchange asks for no presentation.");
}

/** Never rejects. */
async function answerJson(
  { pipeline, cors, clientOf }: WalletLinkDeps,
  route: PublicRoute,
  methods: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
  respond: (call: Call) => Promise<Json>,
): Promise<void> {
  const { origin } = request.headers;
  const allow = ["Allow", [...methods, "OPTIONS"].join(", ")];
  if (request.method === "OPTIONS") {
    const preflight = cors.preflight(origin, true, [...methods]);
    response.writeHead(204, [...allow, ...preflight, "Cache-Control", "no-store"]).end();
    return;
  }
  const shared = [...PRIVATE, ...cors.answer(origin, true)];
  if (!methods.includes(request.method ?? "")) {
    const detail = `Only ${methods.join(" and ")} is allowed here.`;
    return sendJson(response, 405, { detail }, [...allow, ...shared]);
  }
  try {
    const body = await pipeline.visit(route, toInbound(request, response, clientOf(request)), respond);
    sendJson(response, 200, body, shared);
  } catch (error) {
    sendFailure(response, error, shared);
  }
}
