import type { IncomingMessage } from "node:http";
import { ConnectError } from "@connectrpc/connect";
import type { Call } from "#api/pipeline/handlers.js";
import { Problem } from "#foundation/errors.js";
import type { Caller } from "#infrastructure/identity/caller.js";
import { SESSION_LIFETIME_S } from "#infrastructure/sessions/sessions.js";
import { addHeaders, type HttpRoute } from "../http/routes.js";
import { pageLanguages } from "../pages/languages.js";
import { type NegotiatedLanguage, negotiateLanguage, queryOf } from "../pages/negotiate-language.js";
import type { PageContext } from "../pages/page-context.js";
import { sendRedirect } from "../pages/send-page.js";
import { PENDING_LIFETIME_S, readPending, writePending } from "./pending-cookie.js";
import { refusalOf, sendRefusal } from "./refusal-page.js";
import { returnPath } from "./return-path.js";
import { type ConsoleDeps, originOf, providerCookie, replaceSession, type SignIn } from "./session.js";
import { createSessionCookie, type SessionCookie } from "./session-cookie.js";

const PATH = "/console/sign-in";
const CALLBACK = `${PATH}/callback`;

export interface ProviderSignInDeps extends ConsoleDeps {
  /** Returns undefined if staff can't sign in through an identity provider. */
  signIn(): Promise<SignIn | undefined>;
  /** The first secret signs the cookie of a pending sign-in; all verify it. */
  readonly secrets: readonly string[];
  readonly site: PageContext;
}

/**
 * `GET /console/sign-in` redirects to the identity provider, which redirects back to `/console/sign-in/callback`. The
 * callback starts a session and redirects to the page that the user came from.
 *
 * The callback works only in the browser that started the sign-in, because a cookie there holds `state`, `nonce` and
 * the code verifier. This prevents tricking someone into signing in as another person.
 */
export function signInRoutes(deps: ProviderSignInDeps): HttpRoute[] {
  const route = (path: string, work: Work): HttpRoute => ({
    path,
    methods: ["GET"],
    async answer({ request, response, inbound }) {
      const { location, cookies } = await deps.pipeline.visit(
        { name: `GET ${path}`, kind: "unary" },
        inbound,
        (call) => work(deps, request, call),
      );
      if (response.destroyed) return;
      response.setHeader("set-cookie", [...cookies]);
      sendRedirect(response, 303, location);
    },
    refuse({ request, response }, { status, headers, error }) {
      addHeaders(response, headers);
      const { sentence, facts } = error === undefined ? ONLY_GET : refusalOf(ConnectError.from(error));
      const home = path === CALLBACK ? "../" : "./";
      sendRefusal({ ...deps, home }, languageOf(deps, request), response, status, sentence, facts);
    },
  });
  return [route(PATH, begin), route(CALLBACK, finish)];
}

const ONLY_GET = { sentence: "onlyGet", facts: {} } as const;

interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

type Work = (deps: ProviderSignInDeps, request: IncomingMessage, call: Call) => Promise<Redirect>;

const begin: Work = async ({ signIn, secrets, publicUrl }, request) => {
  const current = await signIn();
  if (!current) return { location: "./", cookies: [] }; // the start page explains how to sign in
  const { provider } = current;
  const { url, pending } = await provider.begin(`${publicUrl}${CALLBACK}`);
  const [secret] = secrets;
  if (secret === undefined) throw new Error("there is no secret to sign with");
  const expiresAt = Date.now() + PENDING_LIFETIME_S * 1000;
  const returnTo = returnPath(queryOf(request).get("return"));
  const language = tagOf(queryOf(request).get("lang"));
  const value = writePending(secret, { ...pending, returnTo, language, expiresAt });
  return { location: url.href, cookies: [pendingCookie(publicUrl).set(value, PENDING_LIFETIME_S)] };
};

const finish: Work = async (deps, request, call) => {
  const { secrets, publicUrl, sessions } = deps;
  const cookie = pendingCookie(publicUrl);
  const pending = readPending(secrets, cookie.read(request), Date.now());
  const current = await deps.signIn();
  if (!pending || !current) {
    throw new Problem(
      "unauthenticated",
      "This browser didn't start the sign-in, or started it too long ago: open the console, and sign in again.",
      { facts: { refusal: "not-begun" } },
    );
  }
  const answer = new URL(`${publicUrl}${CALLBACK}?${queryOf(request)}`);
  const caller = await current.provider.finish(answer, pending);
  const origin = { ...originOf(call), method: `GET ${CALLBACK}` };
  // Roles from the provider override roles that were granted in the console.
  const session =
    (caller.kind === "user" && !caller.isStaff
      ? await sessions.beginGranted(caller, origin, call.signal)
      : undefined) ?? (await sessions.begin(staffOf(caller, current.staffClaims), origin, call.signal));
  const own = await replaceSession(deps, request, session, origin, call.signal);
  const marker = providerCookie(publicUrl).set("1", SESSION_LIFETIME_S);
  // Relative, because the console may be served below a path.
  return { location: `../..${pending.returnTo}`, cookies: [own, marker, cookie.clear()] };
};

function pendingCookie(publicUrl: string): SessionCookie {
  return createSessionCookie(publicUrl, "sign_in");
}

/**
 * Returns the language that was chosen in the console, otherwise the language that the browser prefers. The choice is
 * read from the cookie, because the provider's redirect doesn't contain it.
 */
function languageOf(
  { site, secrets, publicUrl }: ProviderSignInDeps,
  request: IncomingMessage,
): NegotiatedLanguage {
  const pending = readPending(secrets, pendingCookie(publicUrl).read(request), Date.now());
  const chosen = pending && pageLanguages.find(pending.language);
  return chosen ? { language: chosen, query: "" } : negotiateLanguage(request, site.language);
}

function tagOf(wish: string | null): string {
  return pageLanguages.find(wish ?? "")?.tag ?? "";
}

/** @throws Problem `permission-denied` that names the missing claim */
function staffOf(
  caller: Caller,
  staffClaims: readonly string[],
): Parameters<ConsoleDeps["sessions"]["begin"]>[0] {
  if (caller.kind === "user" && caller.isStaff) return caller;
  const username = caller.kind === "anonymous" ? "nobody" : caller.username;
  if (caller.kind === "service") {
    throw new Problem(
      "permission-denied",
      `${username} has the scopes of a service, and services can't sign in to the console.`,
      {
        facts: { refusal: "not-a-person", username },
      },
    );
  }
  const claims = staffClaims.join(", ");
  throw new Problem(
    "permission-denied",
    `${username} is not a member of staff: none of the claims ${claims} grants a role.`,
    {
      facts: { refusal: "not-staff", username, claims },
    },
  );
}
