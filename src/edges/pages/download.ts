import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Pipeline, PublicRoute } from "#api/pipeline/pipeline.js";
import type { FollowDownloadLink } from "#domain/credentials/download/follow-download-link.js";
import {
  CredentialService,
  VerifiableCredentialFormat as Format,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { acceptedWeight, HTML_PATTERN } from "../http/accept.js";
import { callMethod } from "../http/call-method.js";
import { httpStatusOf } from "../http/http-status.js";
import type { Exchange, HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import type { PageLanguage } from "./languages.js";
import { type PageDeps, pageRoute, type Visit } from "./page-route.js";
import { sendRedirect } from "./send-page.js";
import { whyNoBadge } from "./why-no-badge.js";

const formats = { json: Format.JSON, jwt: Format.JWT, png: Format.PNG, svg: Format.SVG };

/** Only the route's name is logged, because the link is secret. */
const emailedRoute: PublicRoute = { name: "GET /download/", kind: "unary" };

/**
 * `GET /download/<token>/` serves links in emails, and `GET /download/credential/<uuid>/` serves callers who may use
 * GetDownloadUrl. Both redirect to a new short-lived link. Below the path with the UUID, `badge.json`, `badge.jwt`,
 * `badge.png` and `badge.svg` return the Open Badge itself, and `wallet` redirects to the page for adding the badge to
 * a wallet.
 */
export function downloadRoutes({ site, pipeline }: PageDeps, follow: FollowDownloadLink): HttpRoute[] {
  const { getDownloadUrl, getVerifiableCredential, createWalletOffer } = CredentialService.method;
  return [
    pageRoute(site, {
      path: /^\/download\/credential\/([^/]+)\/badge\.(json|jwt|png|svg)$/,
      title: "download",
      answer(visit) {
        const [uuid = "", extension = ""] = visit.groups;
        const requested = { uuid, format: formats[extension as keyof typeof formats] };
        return answerBy(pipeline, getVerifiableCredential, visit, requested, (badge) =>
          sendSigned(visit.response, badge, `badge.${extension}`),
        );
      },
      isProgram,
    }),
    pageRoute(site, {
      path: /^\/download\/credential\/([^/]+)\/wallet\/?$/,
      title: "wallet",
      answer(visit) {
        const [uuid = ""] = visit.groups;
        return answerBy(pipeline, createWalletOffer, visit, { uuid }, ({ interactionUrl }) =>
          sendRedirect(visit.response, 302, `${interactionUrl}${visit.negotiated.query.replace("?", "&")}`),
        );
      },
    }),
    pageRoute(site, {
      path: /^\/download\/credential\/([^/]+)\/?$/,
      title: "download",
      answer(visit) {
        const [uuid = ""] = visit.groups;
        return answerBy(pipeline, getDownloadUrl, visit, { uuid }, ({ url }) =>
          sendRedirect(visit.response, 302, url),
        );
      },
    }),
    pageRoute(site, {
      // Email clients may drop the trailing slash.
      path: /^\/download\/(?:([^/]*)\/?$)?/,
      title: "download",
      answer: (visit) => answerEmailed(pipeline, follow, visit),
    }),
  ];
}

/** Returns whether the client is a program: it requests JSON or a JWT, or doesn't accept HTML. */
function isProgram({ groups: [, format], request: { headers } }: Exchange): boolean {
  return format === "json" || format === "jwt" || acceptedWeight(headers.accept, HTML_PATTERN) === 0;
}

async function answerEmailed(
  pipeline: Pipeline,
  follow: FollowDownloadLink,
  { groups: [token = ""], negotiated: { language }, response, inbound, say }: Visit,
): Promise<void> {
  try {
    const { url } = await pipeline.visit(emailedRoute, inbound, ({ signal }) => follow(token, signal));
    sendRedirect(response, 302, url);
  } catch (error) {
    const { code } = ConnectError.from(error);
    if (code === Code.NotFound) say(404, language.linkLeadsNowhere);
    else if (code === Code.FailedPrecondition) say(410, language.downloadInvalidated);
    else throw error;
  }
}

/** Calls a method as the visitor. Sends its result, or explains why there is none. */
export async function answerBy<Request extends DescMessage, Response extends DescMessage>(
  pipeline: Pipeline,
  method: DescMethodUnary<Request, Response>,
  visit: Visit,
  request: MessageInitShape<Request>,
  send: (answer: MessageShape<Response>) => void,
  language = visit.negotiated.language,
): Promise<void> {
  try {
    send(await callMethod(pipeline, method, visit.inbound, request));
  } catch (error) {
    explainFailure(error, visit, language);
  }
}

/** Sends a signed document as a download that must not be cached. */
export function sendSigned(
  response: Visit["response"],
  { mediaType, content }: { readonly mediaType: string; readonly content: Uint8Array },
  name: string,
): void {
  const headers = {
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store",
    Vary: "Authorization, Cookie",
  };
  sendAnswer(response, { contentType: mediaType, headers: Object.entries(headers).flat(), body: content });
}

/** @throws the error itself if it is a fault of the service */
function explainFailure(error: unknown, { say }: Visit, language: PageLanguage): void {
  const failure = ConnectError.from(error);
  const sentence = whyNoBadge(failure, language) ?? sentenceOf(failure.code, language);
  if (sentence === undefined) throw error;
  say(httpStatusOf(failure), sentence);
}

/** @returns undefined if the error is a fault of the service */
function sentenceOf(code: Code, language: PageLanguage): string | undefined {
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
