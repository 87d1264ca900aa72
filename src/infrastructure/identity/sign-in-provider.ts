import type { Configuration } from "openid-client";
import { Problem } from "#foundation/errors.js";
import { type AnswerBounds, readBoundedJson } from "#foundation/text/read-bounded-json.js";
import type { Caller } from "./caller.js";
import { isUsername } from "./claims.js";
import { LEEWAY_S } from "./token-lifetime.js";

/** The identity provider where staff sign in, and this service's client there. */
export interface ProviderSettings {
  /** `openid`: the issuer of OpenID Connect. `open edx`: the LMS, which has plain OAuth 2.0. */
  readonly kind: "openid" | "open edx";
  /** The issuer, or the LMS without a trailing slash. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scopes, separated by spaces. */
  readonly scope: string;
  /**
   * URL that ends the session at the provider. Default: the URL in the provider's metadata, or the URL of the LMS. If
   * "none", sessions at the provider are not ended.
   */
  readonly endSessionUrl?: string | undefined;
}

/** Secret values that the browser must return when it finishes signing in. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Sign-in of staff through the identity provider, by the authorization code flow with PKCE (RFC 9700, 2.1). */
export interface SignInProvider {
  /** Returns the URL to which to redirect the browser. @throws Problem `unavailable` */
  begin(redirectUri: string): Promise<{ readonly url: URL; readonly pending: PendingSignIn }>;
  /**
   * Verifies the provider's response, and returns the person who has signed in.
   * @param answer the URL to which the provider has redirected the browser
   * @throws Problem `unauthenticated` if the response doesn't prove who signed in; `unavailable` if the provider
   *   can't be reached
   */
  finish(answer: URL, pending: PendingSignIn): Promise<Caller>;
  /**
   * Returns the URL that ends the session at the provider and returns to `returnTo` (OpenID Connect RP-Initiated Logout
   * 1.0); undefined if the provider has no such URL. The URL identifies this service by the client id, because no token
   * is kept as a hint.
   * @throws Problem `unavailable`
   */
  signOutUrl(returnTo: string): Promise<URL | undefined>;
}

/** Determines the caller by the same rules as for all calls. */
interface SignInRules {
  callerOfClaims(claims: Readonly<Record<string, unknown>>): Caller;
  callerOfToken(token: string): Caller | Promise<Caller>;
}

const TIMEOUT_S = 5;

/** Limits for metadata, a key set, or tokens. The largest known response has 20 KB. */
const BOUNDS: AnswerBounds = { bytes: 256 * 1024, values: 5_000 };

const WITHOUT_BODY = [101, 204, 205, 304];

/** Time after which the provider's metadata is read again. */
const CACHE_MS = 3_600_000;

type Library = typeof import("openid-client");

/** Sends a request to the provider, as `fetch` does. */
export type FetchAnswer = (
  url: string,
  request: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

export type ProviderMetadata = ReturnType<Configuration["serverMetadata"]>;

/** @throws Error of `fetchAnswer`, or of the library if the metadata is invalid or names another issuer */
export async function discoverProvider(
  settings: ProviderSettings,
  fetchAnswer: FetchAnswer,
): Promise<ProviderMetadata> {
  const library = await import("openid-client");
  return (await discover(library, settings, boundedBy(fetchAnswer))).serverMetadata();
}

/**
 * Creates the provider. Its library is loaded, and the provider contacted, only when someone first signs in.
 * @param fetchAnswer sends requests to the provider
 */
export function createSignInProvider(
  settings: ProviderSettings,
  rules: SignInRules,
  fetchAnswer: FetchAnswer = fetchAnywhere,
): SignInProvider {
  const fetchBounded = boundedBy(fetchAnswer);
  let cached: { readonly configuration: Configuration; readonly until: number } | undefined;

  async function configured(library: Library): Promise<Configuration> {
    if (cached && Date.now() < cached.until) return cached.configuration;
    const configuration =
      settings.kind === "openid"
        ? await discover(library, settings, fetchBounded).catch(failAs(outOfReach))
        : openEdx(library, settings, fetchBounded);
    cached = { configuration, until: Date.now() + CACHE_MS };
    return configuration;
  }

  return {
    async begin(redirectUri) {
      const library = await import("openid-client");
      const configuration = await configured(library);
      const pending = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        codeVerifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: pending.state,
        code_challenge: await library.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: "S256",
        ...(settings.kind === "openid" && { nonce: pending.nonce }),
      });
      return { url, pending };
    },

    async finish(answer, { state, nonce, codeVerifier }) {
      const library = await import("openid-client");
      const configuration = await configured(library);
      const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
      const refused = failAs((error) => refusal(library, error));
      if (settings.kind === "openid") {
        const tokens = await library
          .authorizationCodeGrant(configuration, answer, { ...checks, expectedNonce: nonce })
          .catch(refused);
        const claims = tokens.claims();
        // The library requires the claim, but does not compare it with the clock.
        if (claims && claims.iat > Date.now() / 1000 + LEEWAY_S)
          throw notProven("the ID token was issued in the future");
        // Without a subject, this person could not be distinguished from a later person with the same name.
        if (!isUsername(claims?.sub)) throw notProven("the ID token has no valid subject");
        return rules.callerOfClaims({ ...claims });
      }
      const { access_token: token } = await library
        .authorizationCodeGrant(configuration, answer, checks, { token_type: "jwt" })
        .catch(refused);
      return rules.callerOfToken(token);
    },

    async signOutUrl(returnTo) {
      const { kind, url, endSessionUrl, clientId } = settings;
      if (endSessionUrl === "none") return undefined;
      if (kind === "open edx") return withQuery(endSessionUrl ?? `${url}/logout`, { redirect_url: returnTo });
      const endpoint = endSessionUrl ?? (await endSessionEndpoint());
      const query = { client_id: clientId, post_logout_redirect_uri: returnTo };
      return endpoint === undefined ? undefined : withQuery(endpoint, query);
    },
  };

  async function endSessionEndpoint(): Promise<string | undefined> {
    const library = await import("openid-client");
    const configuration = await configured(library);
    return configuration.serverMetadata().end_session_endpoint;
  }
}

function failAs(problemOf: (error: unknown) => Problem): (error: unknown) => never {
  return (error) => {
    throw problemOf(error);
  };
}

function withQuery(address: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

async function discover(
  library: Library,
  { url, clientId, clientSecret }: ProviderSettings,
  fetchBounded: FetchAnswer,
): Promise<Configuration> {
  // The settings permit plain HTTP only on this machine.
  const insecurely = url.startsWith("http:") ? [library.allowInsecureRequests] : [];
  return library.discovery(
    new URL(url),
    clientId,
    { client_secret: clientSecret },
    library.ClientSecretPost(clientSecret),
    {
      timeout: TIMEOUT_S,
      [library.customFetch]: fetchBounded,
      // Without this, the signature of an ID token is not checked if the token came over TLS.
      execute: [library.enableNonRepudiationChecks, ...insecurely],
    },
  );
}

/** The LMS has no discovery for OAuth 2.0. */
function openEdx(
  library: Library,
  { url, clientId, clientSecret }: ProviderSettings,
  fetchBounded: FetchAnswer,
): Configuration {
  const configuration = new library.Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/oauth2/authorize/`,
      token_endpoint: `${url}/oauth2/access_token/`,
    },
    clientId,
    { client_secret: clientSecret },
    library.ClientSecretPost(clientSecret),
  );
  if (url.startsWith("http:")) library.allowInsecureRequests(configuration);
  configuration.timeout = TIMEOUT_S;
  configuration[library.customFetch] = (href, options) => fetchFromOpenEdx(fetchBounded, href, options);
  return configuration;
}

/** Limits the size of answers, because the library parses any answer, in the process that serves calls. */
export function boundedBy(fetchAnswer: FetchAnswer): FetchAnswer {
  return async (url, request) => {
    const { body, status, headers: responseHeaders } = await fetchAnswer(url, request);
    const tooLarge = (bound: string) => new TypeError(`the provider's response has more than ${bound}`);
    const text = await readBoundedJson(body, BOUNDS, tooLarge);
    const headers = new Headers(responseHeaders);
    for (const name of ["content-encoding", "content-length"]) headers.delete(name); // the body is already decoded
    return new Response(WITHOUT_BODY.includes(status) ? null : text, { status, headers });
  };
}

export const fetchAnywhere: FetchAnswer = (url, request) => fetch(url, request as RequestInit);

/** The LMS calls the type of its tokens `JWT`; RFC 6750 calls this type `Bearer`. */
async function fetchFromOpenEdx(
  fetchBounded: FetchAnswer,
  url: string,
  options: Parameters<FetchAnswer>[1],
): Promise<Response> {
  const response = await fetchBounded(url, options);
  if (!response.ok) return response;
  const answer = (await response.json()) as Record<string, unknown>;
  const isJwt = typeof answer.token_type === "string" && answer.token_type.toLowerCase() === "jwt";
  return Response.json(isJwt ? { ...answer, token_type: "Bearer" } : answer, { status: response.status });
}

/** Returns the error for a failed sign-in. The provider's text could contain anything, so it is only logged. */
function refusal(library: Library, cause: unknown): Problem {
  if (cause instanceof library.AuthorizationResponseError) {
    return new Problem("unauthenticated", "The sign-in was cancelled or refused by the identity provider.", {
      cause: cause.error,
      facts: { refusal: "cancelled" },
    });
  }
  if (cause instanceof TypeError || (cause as { code?: unknown }).code === "OAUTH_TIMEOUT") {
    return outOfReach(cause);
  }
  return notProven(cause instanceof Error ? cause.message : cause);
}

function notProven(cause: unknown): Problem {
  return new Problem(
    "unauthenticated",
    "The identity provider's response does not belong to this sign-in, or has expired: sign in again.",
    { cause, facts: { refusal: "not-proven" } },
  );
}

function outOfReach(cause: unknown): Problem {
  return new Problem("unavailable", "The identity provider can't be reached: try again.", {
    cause,
    facts: { refusal: "out-of-reach" },
  });
}
