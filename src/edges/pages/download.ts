import type { IncomingMessage, ServerResponse } from "node:http";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import {
  CredentialService,
  type GetDownloadUrlResponse,
  GetDownloadUrlRequestSchema as RequestSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { Pipeline } from "../../api/pipeline.js";
import type { FollowDownloadLink } from "../../credentials/follow-download-link.js";
import { receive } from "../inbound.js";
import { httpStatus } from "../rest/http-status.js";
import { answerVisit, type Visit } from "./answer-visit.js";
import { sendRedirect } from "./send-page.js";
import type { Site } from "./site.js";

/**
 * The ways to a file: `GET /download/<token>/`, where the links in mails lead, and `GET /download/credential/<uuid>/` for whom
 * GetDownloadUrl answers. Each redirects to a new link, which holds for a short while.
 */
export interface DownloadHandler {
  /** Takes the request when its path lies under `/download/`; tells whether it did. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

const PREFIX = "/download/";
/** Mail programs may drop the slash at the end; what they append is not looked at. */
const mailedPath = /^\/download\/([^/?]*)\/?(?:\?|$)/;
const ownPath = /^\/download\/credential\/([^/?]+)\/?(?:\?|$)/;

/** Nothing here logs a path: who reads the log could follow it. */
export function createDownloadHandler(
  site: Site,
  follow: FollowDownloadLink,
  pipeline: Pipeline,
  log: Logger,
): DownloadHandler {
  return {
    handle(request, response) {
      const url = request.url ?? "";
      if (!url.startsWith(PREFIX)) return false;
      const uuid = ownPath.exec(url)?.[1];
      answerVisit({ site, log, title: "download" }, request, response, (visit) =>
        uuid === undefined
          ? answerMailed(follow, mailedPath.exec(url)?.[1], visit)
          : answerCaller(pipeline, uuid, visit),
      );
      return true;
    },
  };
}

async function answerMailed(
  follow: FollowDownloadLink,
  token: string | undefined,
  { spoken: { language }, response, abort, say }: Visit,
): Promise<void> {
  const destination = token === undefined ? "unknown" : await follow(token, abort.signal);
  if (destination === "unknown") return say(404, language.linkLeadsNowhere);
  if (destination === "invalidated") return say(410, language.downloadInvalidated);
  sendRedirect(response, 302, destination.url);
}

async function answerCaller(pipeline: Pipeline, uuid: string, visit: Visit): Promise<void> {
  const { request, response, say, spoken } = visit;
  const inbound = receive(request, response, undefined);
  try {
    const answer = await pipeline.unary(CredentialService.method.getDownloadUrl, inbound, () => ({
      request: create(RequestSchema, { uuid }),
    }));
    sendRedirect(response, 302, (answer as GetDownloadUrlResponse).url);
  } catch (error) {
    const code = ConnectError.from(error).code;
    const sentence = sentenceOf(code, spoken.language);
    if (sentence === undefined) throw error;
    say(httpStatus[code], sentence);
  }
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
