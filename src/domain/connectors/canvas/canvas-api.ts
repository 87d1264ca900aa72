import type { z } from "zod";
import { isObject } from "#foundation/text/is-object.js";
import type { AnswerBounds } from "#foundation/text/read-bounded-json.js";
import { nextLink } from "#infrastructure/outbound/link-header.js";
import { createTokenCache, type IssuedToken } from "#infrastructure/outbound/token-cache.js";
import { parseResponse } from "../driver/parse-response.js";
import type { PlatformAnswer, PoliteClient } from "../driver/polite-client.js";
import { PullError } from "../driver/pull-error.js";
import { PAGE, SMALL } from "../driver/read-json.js";
import { readSecret, shownName } from "../driver/secret.js";
import type { CanvasEndpoint } from "./canvas-endpoints.js";
import type { CanvasSettings } from "./canvas-settings.js";
import { token } from "./canvas-shapes.js";

/** Reads from the REST API of Canvas, signed in as the service user. */
export interface CanvasApi {
  /**
   * @param bounds size limits of the response; default: those of a page
   * @throws PullError also for unsuccessful responses
   */
  get<T>(
    endpoint: CanvasEndpoint,
    path: string,
    shape: z.ZodType<T>,
    bounds?: AnswerBounds,
  ): Promise<CanvasAnswer<T>>;
}

export interface CanvasAnswer<T> {
  readonly value: T;
  readonly sentAt: Date;
  /** The time on the platform's clock, if the response contains it. */
  readonly date: Date | undefined;
  /** The path of the next page; null if this is the last page. */
  readonly next: string | null;
}

/** Canvas's error code for a course without module requirements. Such a course has no completion. */
export const NOT_MODULE_BASED = "not_module_based";

/**
 * Canvas's rate limit gives each user a quota. Each running request takes 50 of the quota, which refills by 10 a
 * second. Responses report the remaining quota. If less than `reserve` remains, the client pauses.
 */
const BUCKET = { reserve: 150, leaksPerSecond: 10 };

/** Requests ids as strings. In JSON numbers, JavaScript can't represent large ids exactly. */
const ACCEPT = "application/json+canvas-string-ids";

export function createCanvasApi(settings: CanvasSettings, http: PoliteClient): CanvasApi {
  const withToken = createTokenCache(fetchToken);

  async function fetchToken(): Promise<IssuedToken> {
    const { client_id = "", client_secret, refresh_token } = settings;
    if (settings.token) return { text: await readSecret(settings.token), lifetime: undefined };
    const form = new URLSearchParams({
      grant_type: "refresh_token",
      client_id,
      client_secret: await readSecret(client_secret),
      refresh_token: await readSecret(refresh_token),
    });
    const path = "/login/oauth2/token";
    const answer = await http.send({
      method: "POST",
      path,
      endpoint: "token",
      form,
      bounds: SMALL,
      ...rateLimitPolicy,
    });
    if (answer.status !== 200) throw tokenRefusal(answer, settings);
    const { access_token, expires_in } = parseResponse("token", token, answer.body);
    return { text: access_token, lifetime: expires_in };
  }

  return {
    async get(endpoint, path, shape, bounds = PAGE) {
      const { name } = endpoint;
      const answer = await withToken((text) => {
        const headers = { accept: ACCEPT, authorization: `Bearer ${text}` };
        return http.send({ path, endpoint: name, bounds, headers, ...rateLimitPolicy });
      }, isTokenRefused);
      if (answer.status >= 400) throw refusalOf(endpoint, answer, settings);
      const value = parseResponse(name, shape, answer.body);
      const link = nextLink(answer.headers.get("link"));
      const next = link === undefined ? null : http.follow(link);
      return { value, sentAt: answer.sentAt, date: answer.date, next };
    },
  };
}

/** If there are too many requests, older Canvas releases respond with 403 and this text, and newer ones with 429. */
const rateLimitPolicy = {
  isRefused: (status: number, text: string) => status === 403 && text.includes("Rate Limit Exceeded"),
  restAfter(headers: Headers) {
    const left = Number(headers.get("x-rate-limit-remaining") ?? Number.NaN);
    return left < BUCKET.reserve ? ((BUCKET.reserve - left) / BUCKET.leaksPerSecond) * 1000 : 0;
  },
};

/**
 * Returns whether Canvas rejects the token. Older Canvas releases also send 401 to a user who is signed in but lacks a
 * permission.
 */
function isTokenRefused({ status, body }: PlatformAnswer): boolean {
  return status === 401 && !/not authorized|insufficient scopes/i.test(messageOf(body));
}

function refusalOf(
  { name, scope, needs }: CanvasEndpoint,
  answer: PlatformAnswer,
  settings: CanvasSettings,
): PullError {
  const { status, body } = answer;
  const message = messageOf(body);
  if (/insufficient scopes/i.test(message)) {
    const text = `${name}: the token lacks a scope. Add it to the developer key, and grant a new token: ${scope}`;
    return new PullError("forbidden", text, status);
  }
  if (isTokenRefused(answer)) {
    const used = settings.token ? "token" : "refresh_token";
    return new PullError(
      "auth",
      `${name}: Canvas rejects the token (401). Check ${shownName(used, settings[used])}.`,
      status,
    );
  }
  if (status === 401 || status === 403) {
    const text = `${name}: Canvas returned ${status}. The role of the service's user needs ${needs} in the account.`;
    return new PullError("forbidden", text, status);
  }
  if (status === 404) {
    const text = `${name}: Canvas returned 404. Check base_url and account: its API is at /api/v1 below base_url.`;
    return new PullError("missing", text, status);
  }
  const code = /not module based/i.test(message) ? NOT_MODULE_BASED : undefined;
  return new PullError("invalid", `${name}: Canvas returned ${status}.`, status, code ? { code } : undefined);
}

function tokenRefusal({ status, body }: PlatformAnswer, settings: CanvasSettings): PullError {
  const [clientSecret, refreshToken] = (["client_secret", "refresh_token"] as const).map((name) =>
    shownName(name, settings[name]),
  );
  const error = isObject(body) ? body.error : undefined;
  const remedies: Readonly<Record<string, string>> = {
    invalid_client: `Check client_id and ${clientSecret}, and that the developer key is on.`,
    invalid_request: `Check ${refreshToken}: the user may have removed the token.`,
    invalid_grant: `Check ${refreshToken}: it belongs to another developer key.`,
  };
  const remedy = (typeof error === "string" && remedies[error]) || "Check base_url, and that this is Canvas.";
  return new PullError("auth", `token: Canvas returned ${status}. ${remedy}`, status);
}

/** Returns the message of an error. The message may name a person, so it must not be logged or stored. */
function messageOf(body: unknown): string {
  if (!isObject(body)) return "";
  const { errors, error } = body;
  const first: unknown = Array.isArray(errors) ? errors[0] : error;
  const text = isObject(first) ? first.message : first;
  return typeof text === "string" ? text : "";
}
