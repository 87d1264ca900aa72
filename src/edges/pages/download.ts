import type { IncomingMessage, ServerResponse } from "node:http";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  GetVerifiableCredentialRequestSchema as BadgeRequestSchema,
  CredentialService,
  VerifiableCredentialFormat as Format,
  type GetDownloadUrlResponse,
  type GetVerifiableCredentialRequest,
  type GetVerifiableCredentialResponse,
  GetDownloadUrlRequestSchema as RequestSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { FollowDownloadLink } from "../../credentials/download/follow-download-link.js";
import type { Pipeline, PublicRoute } from "../../pipeline/pipeline.js";
import { httpStatusOf } from "../http/http-status.js";
import { sendText } from "../http/send-text.js";
import { answerVisit, type PageDeps, type Visit } from "./answer-visit.js";
import { sendRedirect } from "./send-page.js";

/**
 * The ways to a file: `GET /download/<token>/`, where the links in mails lead, and `GET /download/credential/<uuid>/` for whom
 * GetDownloadUrl answers. Each redirects to a new link, which holds for a short while. `badge.json` and `badge.jwt` beside the
 * latter are the Open Badge itself.
 */
export interface DownloadHandler {
  /** Takes the request when its path lies under `/download/`; tells whether it did. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

const PREFIX = "/download/";
/** Mail programs may drop the slash at the end; what they append is not looked at. */
const mailedPath = /^\/download\/([^/?]*)\/?(?:\?|$)/;
const badgePath = /^\/download\/credential\/([^/?]+)\/badge\.(json|jwt)(?:\?|$)/;
const ownPath = /^\/download\/credential\/([^/?]+)\/?(?:\?|$)/;

/** The link is a secret: the log has the name of the route alone. */
const mailedRoute: PublicRoute = { name: "GET /download/", kind: "unary" };

export function createDownloadHandler(parts: PageDeps, follow: FollowDownloadLink): DownloadHandler {
  const { pipeline } = parts;
  return {
    handle(request, response) {
      const url = request.url ?? "";
      if (!url.startsWith(PREFIX)) return false;
      const [, badgeUuid, extension] = badgePath.exec(url) ?? [];
      if (badgeUuid !== undefined) {
        const format = extension === "jwt" ? Format.JWT : Format.JSON;
        answerVisit(parts, "download", request, response, (visit) =>
          answerBadge(pipeline, create(BadgeRequestSchema, { uuid: badgeUuid, format }), visit),
        );
        return true;
      }
      const uuid = ownPath.exec(url)?.[1];
      answerVisit(parts, "download", request, response, (visit) =>
        uuid === undefined
          ? answerMailed(pipeline, follow, mailedPath.exec(url)?.[1] ?? "", visit)
          : answerCaller(pipeline, uuid, visit),
      );
      return true;
    },
  };
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
  asked: GetVerifiableCredentialRequest,
  visit: Visit,
): Promise<void> {
  const { response, inbound } = visit;
  try {
    const call = await pipeline.admit(CredentialService.method.getVerifiableCredential, inbound);
    const answer = (await call.unary({ request: asked })) as GetVerifiableCredentialResponse;
    const name = asked.format === Format.JWT ? "badge.jwt" : "badge.json";
    const headers = [
      ...["Content-Disposition", `attachment; filename="${name}"`],
      ...["Cache-Control", "no-store", "Vary", "Authorization, Cookie"],
    ];
    const body = Buffer.from(answer.content).toString("ascii");
    sendText(response, { status: 200, contentType: answer.mediaType, headers, body });
  } catch (error) {
    sayWhyNot(error, visit);
  }
}

/** @throws what is no answer, but a fault */
function sayWhyNot(error: unknown, { say, spoken }: Visit): void {
  const failure = ConnectError.from(error);
  const sentence = sentenceOf(failure.code, spoken.language);
  if (sentence === undefined) throw error;
  say(httpStatusOf(failure), sentence);
}

/** @returns undefined for what is no answer, but a fault */
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
