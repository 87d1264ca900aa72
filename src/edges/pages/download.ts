import type { IncomingMessage, ServerResponse } from "node:http";
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
import { answerVisit, type PageDeps, type Visit } from "./answer-visit.js";
import { sendRedirect } from "./send-page.js";
import { whyNoBadge } from "./why-no-badge.js";

/**
 * Routes to a file: `GET /download/<token>/` for the links in mails, and `GET /download/credential/<uuid>/`
 * for callers who may use GetDownloadUrl. Each redirects to a new short-lived link. Beside the latter,
 * `badge.json`, `.jwt`, `.png` and `.svg` return the Open Badge itself, and `wallet` leads to the page that
 * hands it to a wallet.
 */
export interface DownloadHandler {
  /** Handles the request if its path is below `/download/`, and returns whether it does. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

const PREFIX = "/download/";
/** Mail programs may drop the trailing slash, or append something, which is ignored. */
const mailedPath = /^\/download\/([^/?]*)\/?(?:\?|$)/;
const badgePath = /^\/download\/credential\/([^/?]+)\/badge\.(json|jwt|png|svg)(?:\?|$)/;
const walletPath = /^\/download\/credential\/([^/?]+)\/wallet\/?(?:\?|$)/;
const ownPath = /^\/download\/credential\/([^/?]+)\/?(?:\?|$)/;

/** Formats by file extension. */
const formats = { json: Format.JSON, jwt: Format.JWT, png: Format.PNG, svg: Format.SVG };

/** The link is a secret, so the log has only the route's name. */
const mailedRoute: PublicRoute = { name: "GET /download/", kind: "unary" };

export function createDownloadHandler(deps: PageDeps, follow: FollowDownloadLink): DownloadHandler {
  const { pipeline } = deps;
  return {
    handle(request, response) {
      const url = request.url ?? "";
      if (!url.startsWith(PREFIX)) return false;
      const [, badgeUuid, extension] = badgePath.exec(url) ?? [];
      if (badgeUuid !== undefined) {
        const format = extension as keyof typeof formats;
        const answer = (visit: Visit) => answerBadge(pipeline, badgeUuid, format, visit);
        answerVisit(deps, "download", request, response, answer, isForProgram(format, request));
        return true;
      }
      const walletUuid = walletPath.exec(url)?.[1];
      if (walletUuid !== undefined) {
        answerVisit(deps, "wallet", request, response, (visit) => answerWallet(pipeline, walletUuid, visit));
        return true;
      }
      const uuid = ownPath.exec(url)?.[1];
      answerVisit(deps, "download", request, response, (visit) =>
        uuid === undefined
          ? answerMailed(pipeline, follow, mailedPath.exec(url)?.[1] ?? "", visit)
          : answerCaller(pipeline, uuid, visit),
      );
      return true;
    },
  };
}

/** JSON and JWT are saved by programs; browsers name HTML among what they accept. */
function isForProgram(format: keyof typeof formats, { headers: { accept = "" } }: IncomingMessage): boolean {
  return format === "json" || format === "jwt" || !accept.includes("text/html");
}

async function answerMailed(
  pipeline: Pipeline,
  follow: FollowDownloadLink,
  token: string,
  { spoken: { language }, response, inbound, say }: Visit,
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

async function answerCaller(pipeline: Pipeline, uuid: string, visit: Visit): Promise<void> {
  const { response, inbound } = visit;
  try {
    const call = await pipeline.admit(CredentialService.method.getDownloadUrl, inbound);
    const answer = await call.unary({ request: create(RequestSchema, { uuid }) });
    sendRedirect(response, 302, (answer as GetDownloadUrlResponse).url);
  } catch (error) {
    sayWhyNot(error, visit);
  }
}

async function answerBadge(
  pipeline: Pipeline,
  uuid: string,
  extension: keyof typeof formats,
  visit: Visit,
): Promise<void> {
  const { response, inbound } = visit;
  const asked = create(BadgeRequestSchema, { uuid, format: formats[extension] });
  try {
    const call = await pipeline.admit(CredentialService.method.getVerifiableCredential, inbound);
    const answer = (await call.unary({ request: asked })) as GetVerifiableCredentialResponse;
    if (response.destroyed) return;
    response.writeHead(200, {
      "content-type": answer.mediaType,
      "content-length": answer.content.length,
      "content-disposition": `attachment; filename="badge.${extension}"`,
      "cache-control": "no-store",
      vary: "Authorization, Cookie",
    });
    response.end(answer.content);
  } catch (error) {
    sayWhyNot(error, visit);
  }
}

async function answerWallet(pipeline: Pipeline, uuid: string, visit: Visit): Promise<void> {
  const { response, inbound, spoken } = visit;
  try {
    const call = await pipeline.admit(CredentialService.method.createWalletOffer, inbound);
    const answer = await call.unary({ request: create(OfferRequestSchema, { uuid }) });
    const url = (answer as CreateWalletOfferResponse).interactionUrl;
    sendRedirect(response, 302, `${url}${spoken.query.replace("?", "&")}`);
  } catch (error) {
    sayWhyNot(error, visit);
  }
}

/** @throws the error if it is a fault and no answer for the visitor */
function sayWhyNot(error: unknown, { say, spoken }: Visit): void {
  const failure = ConnectError.from(error);
  const sentence = whyNoBadge(failure, spoken.language) ?? sentenceOf(failure.code, spoken.language);
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
