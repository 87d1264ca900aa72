import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  GetVerifiableCredentialRequestSchema as BadgeRequestSchema,
  type CreateWalletOfferResponse,
  CredentialService,
  VerifiableCredentialFormat as Format,
  type GetDownloadUrlResponse,
  type GetVerifiableCredentialResponse,
  CreateWalletOfferRequestSchema as OfferRequestSchema,
  GetDownloadUrlRequestSchema as RequestSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { FollowDownloadLink } from "../../credentials/download/follow-download-link.js";
import type { Pipeline, PublicRoute } from "../../pipeline/pipeline.js";
import { httpStatusOf } from "../http/http-status.js";
import type { Exchange, HttpRoute } from "../http/routes.js";
import { type PageDeps, pageRoute, type Visit } from "./page-route.js";
import { sendRedirect } from "./send-page.js";
import { whyNoBadge } from "./why-no-badge.js";

/** Formats by file extension. */
const formats = { json: Format.JSON, jwt: Format.JWT, png: Format.PNG, svg: Format.SVG };

/** The link is a secret, so the log has only the route's name. */
const mailedRoute: PublicRoute = { name: "GET /download/", kind: "unary" };

/**
 * The routes to a file: `GET /download/<token>/` for the links in mails, and `GET /download/credential/<uuid>/`
 * for callers who may use GetDownloadUrl. Each redirects to a new short-lived link. Beside the latter,
 * `badge.json`, `.jwt`, `.png` and `.svg` return the Open Badge itself, and `wallet` leads to the page that
 * hands it to a wallet.
 */
export function downloadRoutes({ site, pipeline }: PageDeps, follow: FollowDownloadLink): HttpRoute[] {
  return [
    pageRoute(site, {
      path: /^\/download\/credential\/([^/]+)\/badge\.(json|jwt|png|svg)$/,
      title: "download",
      answer: (visit) => answerBadge(pipeline, visit),
      isProgram,
    }),
    pageRoute(site, {
      path: /^\/download\/credential\/([^/]+)\/wallet\/?$/,
      title: "wallet",
      answer: (visit) => answerWallet(pipeline, visit),
    }),
    pageRoute(site, {
      path: /^\/download\/credential\/([^/]+)\/?$/,
      title: "download",
      answer: (visit) => answerCaller(pipeline, visit),
    }),
    pageRoute(site, {
      // Mail programs may drop the trailing slash.
      path: /^\/download\/(?:([^/]*)\/?$)?/,
      title: "download",
      answer: (visit) => answerMailed(pipeline, follow, visit),
    }),
  ];
}

/** JSON and JWT are saved by programs; browsers name HTML among what they accept. */
function isProgram({ groups: [, format], request: { headers } }: Exchange): boolean {
  return format === "json" || format === "jwt" || !(headers.accept ?? "").includes("text/html");
}

async function answerMailed(
  pipeline: Pipeline,
  follow: FollowDownloadLink,
  { groups: [token = ""], spoken: { language }, response, inbound, say }: Visit,
): Promise<void> {
  try {
    const { url } = await pipeline.visit(mailedRoute, inbound, ({ signal }) => follow(token, signal));
    sendRedirect(response, 302, url);
  } catch (error) {
    const { code } = ConnectError.from(error);
    if (code === Code.NotFound) say(404, language.linkLeadsNowhere);
    else if (code === Code.FailedPrecondition) say(410, language.downloadInvalidated);
    else throw error;
  }
}

async function answerCaller(pipeline: Pipeline, visit: Visit): Promise<void> {
  const {
    groups: [uuid = ""],
    response,
    inbound,
  } = visit;
  try {
    const call = await pipeline.admit(CredentialService.method.getDownloadUrl, inbound);
    const answer = await call.unary({ request: create(RequestSchema, { uuid }) });
    sendRedirect(response, 302, (answer as GetDownloadUrlResponse).url);
  } catch (error) {
    sayWhyNot(error, visit);
  }
}

async function answerBadge(pipeline: Pipeline, visit: Visit): Promise<void> {
  const {
    groups: [uuid = "", extension = ""],
    response,
    inbound,
  } = visit;
  const asked = create(BadgeRequestSchema, { uuid, format: formats[extension as keyof typeof formats] });
  try {
    const call = await pipeline.admit(CredentialService.method.getVerifiableCredential, inbound);
    const answer = (await call.unary({ request: asked })) as GetVerifiableCredentialResponse;
    sendSigned(response, answer, `badge.${extension}`);
  } catch (error) {
    sayWhyNot(error, visit);
  }
}

async function answerWallet(pipeline: Pipeline, visit: Visit): Promise<void> {
  const {
    groups: [uuid = ""],
    response,
    inbound,
    spoken,
  } = visit;
  try {
    const call = await pipeline.admit(CredentialService.method.createWalletOffer, inbound);
    const answer = await call.unary({ request: create(OfferRequestSchema, { uuid }) });
    const url = (answer as CreateWalletOfferResponse).interactionUrl;
    sendRedirect(response, 302, `${url}${spoken.query.replace("?", "&")}`);
  } catch (error) {
    sayWhyNot(error, visit);
  }
}

/** Sends what was signed for the caller alone, to be saved under this name. */
export function sendSigned(
  response: Visit["response"],
  { mediaType, content }: { readonly mediaType: string; readonly content: Uint8Array },
  name: string,
): void {
  if (response.destroyed) return;
  const headers = {
    "content-type": mediaType,
    "content-length": content.length,
    "content-disposition": `attachment; filename="${name}"`,
    "cache-control": "no-store",
    vary: "Authorization, Cookie",
  };
  response.writeHead(200, headers).end(content);
}

/** @throws the error if it is a fault and no answer for the visitor */
export function sayWhyNot(error: unknown, { say, spoken }: Visit, language = spoken.language): void {
  const failure = ConnectError.from(error);
  const sentence = whyNoBadge(failure, language) ?? sentenceOf(failure.code, language);
  if (sentence === undefined) throw error;
  say(httpStatusOf(failure), sentence);
}

/** @returns undefined for a fault */
function sentenceOf(code: Code, language: Visit["spoken"]["language"]): string | undefined {
  switch (code) {
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return language.downloadRefused;
    case Code.NotFound:
      return language.downloadNotFound;
    case Code.FailedPrecondition:
      return language.downloadUnavailable;
    default:
      return undefined;
  }
}
