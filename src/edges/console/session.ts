import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { Call } from "#api/pipeline/handlers.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { invalid, Problem } from "#foundation/errors.js";
import type { SignInProvider } from "#infrastructure/identity/sign-in-provider.js";
import { type NewSession, SESSION_LIFETIME_S, type Sessions } from "#infrastructure/sessions/sessions.js";
import type { HttpRoute } from "../http/routes.js";
import { isSameOrigin } from "../http/same-origin.js";
import { sendJson } from "../http/send-json.js";
import { mediaTypeOf, readSmallBody } from "../http/small-body.js";
import { createSessionCookie, type SessionCookie } from "./session-cookie.js";

export interface ConsoleDeps {
  readonly pipeline: Pipeline;
  readonly sessions: Sessions;
  readonly publicUrl: string;
  /** Returns the session cookie. Its name depends on the public URL. */
  cookie(): SessionCookie;
}

export interface SignIn {
  readonly provider: SignInProvider;
  /** Claims that make someone staff. The error for users who lack them lists these claims. */
  readonly staffClaims: readonly string[];
}

export interface SessionDeps extends ConsoleDeps {
  /** Returns undefined if staff can't sign in through an identity provider. */
  signIn(): Promise<SignIn | undefined>;
  readonly log: Logger;
}

const PATH = "/console/session";

/**
 * `POST /console/session` starts a session. Its body contains the secret of a sign-in link: `{"secret": "…"}`. `DELETE`
 * ends the session. If the session was started through an identity provider, the response contains a URL that also
 * signs out there: `{"signOutUrl": "https://…"}`. Requests from other origins are refused, because they could sign in
 * visitors as someone else.
 */
export function sessionRoute(deps: SessionDeps): HttpRoute {
  return {
    path: PATH,
    methods: ["POST", "DELETE"],
    async answer({ request, response, inbound }) {
      const name = `${request.method} ${PATH}`;
      const work = request.method === "POST" ? signIn : signOut;
      const visit = deps.pipeline.visit({ name, kind: "unary" }, inbound, async (call) => {
        if (!isSameOrigin(request, deps.publicUrl)) throw foreignPage();
        return work(deps, request, { ...originOf(call), method: name }, call.signal);
      });
      const { cookies, signOutUrl } = await visit;
      if (response.destroyed) return;
      const setCookies = cookies.flatMap((cookie) => ["Set-Cookie", cookie]);
      if (signOutUrl) sendJson(response, 200, { signOutUrl: signOutUrl.href }, setCookies);
      else response.writeHead(204, ["Cache-Control", "no-store", ...setCookies]).end();
    },
  };
}

interface Outcome {
  readonly cookies: readonly string[];
  readonly signOutUrl?: URL | undefined;
}

type Work = (
  deps: SessionDeps,
  request: IncomingMessage,
  origin: Parameters<Sessions["redeem"]>[1],
  signal: AbortSignal,
) => Promise<Outcome>;

const signIn: Work = async (deps, request, origin, signal) => {
  const session = await deps.sessions.redeem(await readSecret(request), origin, signal);
  const cookie = await replaceSession(deps, request, session, origin, signal);
  return { cookies: [cookie, ...forgetProvider(deps, request)] };
};

const signOut: Work = async (deps, request, origin, signal) => {
  const { sessions, cookie } = deps;
  const token = cookie().read(request);
  if (token !== undefined) await sessions.end(token, origin, signal);
  const cookies = [cookie().clear(), ...forgetProvider(deps, request)];
  return { cookies, signOutUrl: await signOutUrlOf(deps, request) };
};

/**
 * Removes the cookie that marks a session of the identity provider, because that session has ended or was replaced by
 * one from a sign-in link.
 */
function forgetProvider({ publicUrl }: ConsoleDeps, request: IncomingMessage): readonly string[] {
  const cookie = providerCookie(publicUrl);
  return cookie.read(request) === undefined ? [] : [cookie.clear()];
}

/**
 * Returns the URL that signs out at the provider; undefined if the session wasn't started there, or if the provider
 * can't be reached. The session at the provider then remains until it expires.
 */
async function signOutUrlOf(
  { signIn: current, publicUrl, log }: SessionDeps,
  request: IncomingMessage,
): Promise<URL | undefined> {
  if (providerCookie(publicUrl).read(request) === undefined) return undefined;
  try {
    return await (await current())?.provider.signOutUrl(`${publicUrl}/console/`);
  } catch (err) {
    log.warn({ err }, "signed out locally, but not at the identity provider");
    return undefined;
  }
}

/** Marks a session as started through the provider. Anyone can set this cookie, so it proves nothing. */
export function providerCookie(publicUrl: string): SessionCookie {
  return createSessionCookie(publicUrl, "provider");
}

/**
 * Ends the browser's previous session, if any.
 * @returns the cookie of the new session
 */
export async function replaceSession(
  { sessions, cookie }: ConsoleDeps,
  request: IncomingMessage,
  { token }: NewSession,
  origin: Parameters<Sessions["end"]>[1],
  signal: AbortSignal,
): Promise<string> {
  const earlier = cookie().read(request);
  if (earlier !== undefined) await sessions.end(earlier, origin, signal);
  return cookie().set(token, SESSION_LIFETIME_S);
}

export function originOf({ requestId, client }: Call): { requestId: string; client: string } {
  return { requestId, client };
}

async function readSecret(request: IncomingMessage): Promise<string> {
  const expected = 'The body must be JSON, such as {"secret": "…"}.';
  // HTML forms on other sites can't send this media type.
  if (mediaTypeOf(request) !== "application/json") throw invalid(expected);
  const text = await readSmallBody(request);
  try {
    const { secret } = JSON.parse(text);
    if (typeof secret === "string") return secret;
  } catch {
    // reported below
  }
  throw invalid(expected);
}

export function foreignPage(): Problem {
  return new Problem("permission-denied", "Only pages of this service can make this request.");
}
