import type { IncomingMessage, ServerResponse } from "node:http";
import { ConnectError } from "@connectrpc/connect";
import { Problem } from "../../errors.js";
import type { Caller } from "../../identity/caller.js";
import type { SignInProvider } from "../../identity/sign-in-provider.js";
import type { Call } from "../../pipeline/handlers.js";
import { html } from "../http/html.js";
import { httpStatusOf } from "../http/http-status.js";
import { toInbound } from "../http/inbound.js";
import { sendText } from "../http/send-text.js";
import type { HttpHandler } from "../http/server.js";
import { PENDING_LIFETIME_S, readPending, writePending } from "./pending-cookie.js";
import { returnPath } from "./return-path.js";
import { type ConsoleDeps, originOf, replaceSession } from "./session.js";
import { createSessionCookie, type SessionCookie } from "./session-cookie.js";

const PATH = "/console/sign-in";
const CALLBACK = `${PATH}/callback`;

/** What signing in with a provider needs. */
export interface ProviderSignInDeps extends ConsoleDeps {
  readonly provider: SignInProvider;
  /** The first signs the cookie of a sign-in, all of them verify it. */
  readonly secrets: readonly string[];
  /** What makes somebody staff, for those who are not. */
  readonly staffClaims: string;
}

/**
 * `GET /console/sign-in` leads to the identity provider, which leads back to `/console/sign-in/callback`. There a
 * session begins, and the browser goes on to the page that it came from.
 *
 * The answer counts only in the browser that has asked: a cookie holds `state`, `nonce` and the code verifier. So
 * nobody can be made to sign in under another's name.
 */
export function createProviderSignIn(deps: ProviderSignInDeps): HttpHandler {
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const work = path === PATH ? begin : path === CALLBACK ? finish : undefined;
    if (!work) return false;
    if (request.method === "GET") void answer(deps, path, work, request, response);
    else sendPage(response, 405, "This page can only be opened.", { allow: "GET" });
    return true;
  };
}

/** Where to go, and with which cookies. */
interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

type Work = (deps: ProviderSignInDeps, request: IncomingMessage, call: Call) => Promise<Redirect>;

/** Never rejects. */
async function answer(
  deps: ProviderSignInDeps,
  path: string,
  work: Work,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const inbound = toInbound(request, response, deps.clientOf(request));
  try {
    const { location, cookies } = await deps.pipeline.visit(
      { name: `GET ${path}`, kind: "unary" },
      inbound,
      (call) => work(deps, request, call),
    );
    if (response.destroyed) return;
    response
      .writeHead(303, {
        location,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "content-length": 0,
        "set-cookie": [...cookies],
      })
      .end();
  } catch (error) {
    const failure = ConnectError.from(error);
    sendPage(response, httpStatusOf(failure), failure.rawMessage);
  }
}

const begin: Work = async ({ provider, secrets, publicUrl }, request) => {
  const { url, pending } = await provider.begin(`${publicUrl()}${CALLBACK}`);
  const [secret] = secrets;
  if (secret === undefined) throw new Error("there is no secret to sign with");
  const expiresAt = Date.now() + PENDING_LIFETIME_S * 1000;
  const returnTo = returnPath(queryOf(request).get("return"));
  const value = writePending(secret, { ...pending, returnTo, expiresAt });
  return { location: url.href, cookies: [pendingCookie(publicUrl()).set(value, PENDING_LIFETIME_S)] };
};

const finish: Work = async (deps, request, call) => {
  const { provider, secrets, publicUrl, sessions } = deps;
  const cookie = pendingCookie(publicUrl());
  const pending = readPending(secrets, cookie.read(request), Date.now());
  if (!pending) {
    throw new Problem(
      "unauthenticated",
      "This browser has not begun to sign in, or too long ago: open the console, and sign in again.",
    );
  }
  const answer = new URL(`${publicUrl()}${CALLBACK}?${queryOf(request)}`);
  const staff = staffOf(await provider.finish(answer, pending), deps.staffClaims);
  const origin = { ...originOf(call), method: `GET ${CALLBACK}` };
  const session = await sessions.begin(staff, origin, call.signal);
  const own = await replaceSession(deps, request, session, origin, call.signal);
  return { location: pending.returnTo, cookies: [own, cookie.clear()] };
};

function pendingCookie(publicUrl: string): SessionCookie {
  return createSessionCookie(publicUrl, "sign_in");
}

function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/** @throws Problem `permission-denied` saying which claim is missing */
function staffOf(caller: Caller, staffClaims: string): Parameters<ConsoleDeps["sessions"]["begin"]>[0] {
  if (caller.kind === "user" && caller.isStaff) return caller;
  const name = caller.kind === "anonymous" ? "nobody" : caller.username;
  throw new Problem(
    "permission-denied",
    caller.kind === "service"
      ? `You are signed in as ${name}, which is a service by its scopes. The console is for people.`
      : `You are signed in as ${name}, who is not staff here. The identity provider has to say so: ${staffClaims}.`,
  );
}

/** Sends a page of one sentence, unless the client is gone. */
function sendPage(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const page = html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><title>Sign-in</title></head>
<body><main><h1>You are not signed in</h1><p>${sentence}</p><p><a href="/console/">Back to the console</a></p></main></body>
</html>
`;
  sendText(response, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: [
      ...Object.entries(headers).flat(),
      "Cache-Control",
      "no-store",
      "Referrer-Policy",
      "no-referrer",
    ],
    body: page.html,
  });
}
