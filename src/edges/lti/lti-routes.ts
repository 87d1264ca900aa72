import type { ServerResponse } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { LAUNCH_PATH } from "#domain/lti/begin-login.js";
import { Problem } from "#foundation/errors.js";
import { ltiStorageScript } from "#gen/pages/lti-storage-script.js";
import { httpStatusOf } from "../http/http-status.js";
import type { Exchange, HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { sealPicture } from "../pages/icons.js";
import { sendPage, sendRedirect } from "../pages/send-page.js";
import { launch, login } from "./launch.js";
import { claim, progress } from "./learner-page.js";
import {
  type LtiAnswer,
  type LtiEdgeDeps,
  type LtiPageFrame,
  type LtiWork,
  languageOf,
} from "./lti-exchange.js";
import { type LtiSentence, sentencePage } from "./lti-pages.js";
import { ICON_PATH, register } from "./register.js";

/**
 * The routes for LTI 1.3: `/lti/login`, `/lti/launch`, `/lti/jwks` and `/lti/register`. `/lti/progress` and
 * `/lti/claim` serve the framed page of a learner. None of the routes reads or sets a session.
 */
export function ltiRoutes(deps: LtiEdgeDeps): HttpRoute[] {
  const page = (path: string, methods: readonly string[], work: LtiWork): HttpRoute => ({
    path,
    methods,
    answer: (exchange) => answer(deps, path, work, exchange),
    refuse: ({ request, response }, { status, message }) =>
      sendPage(response, status, sentencePage(deps.site, languageOf(deps, request), undefined, message)),
  });
  return [
    page("/lti/login", ["GET", "POST"], login),
    page(LAUNCH_PATH, ["POST"], launch),
    page("/lti/progress", ["POST"], progress),
    page("/lti/claim", ["POST"], claim),
    page("/lti/register", ["GET", "POST"], register),
    {
      path: "/lti/jwks",
      async answer({ response, inbound }) {
        const visit = deps.pipeline.visit({ name: "GET /lti/jwks", kind: "unary" }, inbound, ({ signal }) =>
          deps.lti.toolKeys.published(signal),
        );
        sendAnswer(response, {
          contentType: "application/json",
          headers: ["Cache-Control", "public, max-age=300"],
          body: JSON.stringify(await visit),
        });
      },
    },
    {
      path: ICON_PATH,
      answer({ response }) {
        sendAnswer(response, {
          contentType: "image/svg+xml",
          // Pages of the platform embed the icon.
          headers: ["Cache-Control", "public, max-age=3600", "Cross-Origin-Resource-Policy", "cross-origin"],
          body: sealPicture,
        });
      },
    },
    {
      path: "/lti/lti.js",
      answer({ response }) {
        sendAnswer(response, {
          contentType: "text/javascript; charset=utf-8",
          headers: ["Cache-Control", "public, max-age=3600"],
          body: ltiStorageScript,
        });
      },
    },
  ];
}

async function answer(deps: LtiEdgeDeps, path: string, work: LtiWork, exchange: Exchange): Promise<void> {
  const { request, response, inbound } = exchange;
  const pageFrame: LtiPageFrame = { language: languageOf(deps, request), frameAncestors: [] };
  const name = `${request.method} ${path}`;
  try {
    const found = await deps.pipeline.visit({ name, kind: "unary" }, inbound, (call) =>
      work(deps, exchange, call, pageFrame),
    );
    if (response.destroyed) return;
    if (found instanceof URL) sendRedirect(response, 302, found.href);
    else send(response, { frameAncestors: pageFrame.frameAncestors, ...found });
  } catch (error) {
    const { sentence, reason, status } = failureOf(error);
    if (reason !== undefined) deps.log.warn({ path, reason }, "LTI request failed");
    const shown = sentencePage(deps.site, pageFrame.language, sentence, reason);
    sendPage(response, status, shown, { frameAncestors: pageFrame.frameAncestors });
  }
}

function send(response: ServerResponse, { status = 200, page, cookies = [], ...loaded }: LtiAnswer): void {
  if (cookies.length > 0) response.setHeader("set-cookie", [...cookies]);
  sendPage(response, status, page, loaded);
}

interface Failure {
  readonly status: number;
  readonly sentence: LtiSentence | undefined;
  readonly reason: string | undefined;
}

function failureOf(error: unknown): Failure {
  const failure = ConnectError.from(error);
  const status = httpStatusOf(failure);
  const facts = failure.cause instanceof Problem ? failure.cause.facts : undefined;
  if (facts?.launch === "no invitation") return { status, sentence: "ltiInvitation", reason: undefined };
  if (failure.code === Code.Unauthenticated) return { status, sentence: "ltiExpired", reason: undefined };
  if (failure.cause instanceof Problem && status < 500 && status !== 429)
    return { status, sentence: undefined, reason: failure.rawMessage };
  if (failure.code === Code.Unavailable)
    return { status, sentence: "outOfReach", reason: failure.rawMessage };
  return { status, sentence: status === 500 ? "fault" : "outOfReach", reason: undefined };
}
