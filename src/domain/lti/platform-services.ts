import { randomUUID } from "node:crypto";
import { SignJWT } from "jose/jwt/sign";
import { z } from "zod";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { withinTime } from "#foundation/concurrency/within-time.js";
import { Problem } from "#foundation/errors.js";
import type { Answer, Question, SendRequest } from "#infrastructure/outbound/send-request.js";
import {
  createTokenCache,
  type IssuedToken,
  type RequestWithToken,
} from "#infrastructure/outbound/token-cache.js";
import type { Registration } from "./registration.js";
import type { ToolKeys } from "./tool-keys.js";

/**
 * Sends a request with an access token for the scope. If the token is rejected, retries once with a new token.
 * @param what name of the service in messages, for example `The platform's list of members`
 * @throws Problem `unavailable` if there is no response; `failed-precondition` if the platform grants no token
 */
export type CallService = (
  registration: Registration,
  scope: string,
  what: string,
  url: string,
  question: Question,
  signal: AbortSignal,
) => Promise<Answer>;

const MAX_CACHED_TOKENS = 1000;

/** Lifetime of the assertion in a token request, in seconds. */
const ASSERTION_LIFETIME_S = 300;

const TOKEN_TIMEOUT_MS = 30_000;

/** Time limit for reading the key that signs the token request. */
const KEY_TIMEOUT_MS = 10_000;

const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const tokenResponse = z.object({
  access_token: z.string().min(1).max(16_384),
  expires_in: z.coerce.number().positive().max(31_536_000).catch(300),
});

const tokenError = z.object({ error: z.string().regex(/^[\w .-]{1,60}$/) });

/**
 * Returns a function that requests a token. No caller can cancel the request, because several callers may wait for the
 * same token.
 */
export function createFetchToken(
  sendRequest: SendRequest,
  toolKeys: ToolKeys,
): (registration: Registration, scope: string) => Promise<IssuedToken> {
  return async (registration, scope) => {
    const { clientId, tokenUrl, tokenAudience } = registration;
    const { kid, key } = await toolKeys.signing(AbortSignal.timeout(KEY_TIMEOUT_MS));
    const seconds = Math.floor(Date.now() / 1000);
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(tokenAudience === "" ? tokenUrl : tokenAudience)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + ASSERTION_LIFETIME_S)
      .setJti(randomUUID())
      .sign(key);
    const form = {
      grant_type: "client_credentials",
      client_assertion_type: JWT_BEARER,
      client_assertion: assertion,
      scope,
    };
    const answer = await sendRequest("The platform's token service", tokenUrl, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams(form).toString(),
    });
    const body = jsonOf(answer.text);
    const { data } = tokenResponse.safeParse(body);
    if (answer.status >= 200 && answer.status < 300 && data)
      return { text: data.access_token, lifetime: data.expires_in };
    const reason = tokenError.safeParse(body).data?.error;
    throw new Problem(
      answer.status >= 500 || answer.status === 429 ? "unavailable" : "failed-precondition",
      `The platform returned no access token (status ${answer.status}${reason === undefined ? "" : `, ${reason}`}): ` +
        "check that the platform has the client id, token URL and audience that `lti list` shows, the service's key set URL, and permission for the services.",
    );
  };
}

export function createCallService(sendRequest: SendRequest, toolKeys: ToolKeys): CallService {
  const keepers = createBoundedCache<RequestWithToken>(MAX_CACHED_TOKENS);
  const fetchToken = createFetchToken(sendRequest, toolKeys);
  return async (registration, scope, what, url, question, signal) => {
    const { id, clientId, tokenUrl, tokenAudience } = registration;
    const name = JSON.stringify([id, clientId, tokenUrl, tokenAudience, scope]);
    const late = () => new Problem("unavailable", "The platform's token service did not respond in time.");
    const withToken = keepers(name, () =>
      createTokenCache(() => withinTime(fetchToken(registration, scope), TOKEN_TIMEOUT_MS, late)),
    );
    signal.throwIfAborted();
    return withToken((token) => {
      signal.throwIfAborted();
      const headers = { ...question.headers, authorization: `Bearer ${token}` };
      return sendRequest(what, url, { ...question, headers });
    });
  };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
