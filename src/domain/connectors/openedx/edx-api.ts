import { z } from "zod";
import { isObject } from "#foundation/text/is-object.js";
import type { AnswerBounds } from "#foundation/text/read-bounded-json.js";
import { createTokenCache, type IssuedToken } from "#infrastructure/outbound/token-cache.js";
import { parseResponse } from "../driver/parse-response.js";
import type { PlatformAnswer, PoliteClient } from "../driver/polite-client.js";
import { PullError, type PullFault } from "../driver/pull-error.js";
import { PAGE, SMALL } from "../driver/read-json.js";
import { readSecret, shownName } from "../driver/secret.js";
import type { EdxSettings } from "./edx-settings.js";

/** The REST API of an LMS, used as its service user. */
export interface EdxApi {
  /**
   * @param endpoint name of the endpoint in errors and metrics
   * @param bounds size limits of the response; default: those of a page
   * @throws PullError also for unsuccessful responses
   */
  get<T>(endpoint: string, path: string, shape: z.ZodType<T>, bounds?: AnswerBounds): Promise<ApiAnswer<T>>;
  /** Returns the path of the next page, or null after the last page. */
  next(link: string | null | undefined): string | null;
}

interface ApiAnswer<T> {
  readonly value: T;
  readonly sentAt: Date;
  readonly date: Date | undefined;
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export function createEdxApi(settings: EdxSettings, http: PoliteClient): EdxApi {
  const withToken = createTokenCache(fetchToken);

  async function fetchToken(): Promise<IssuedToken> {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: settings.client_id,
      client_secret: await readSecret(settings.client_secret),
      token_type: "jwt",
    });
    const { status, body } = await http.send({
      method: "POST",
      path: "/oauth2/access_token",
      endpoint: "token",
      form,
      bounds: SMALL,
    });
    const read = tokenAnswer.safeParse(body);
    if (status !== 200 || !read.success) {
      const remedy =
        status === 404
          ? "Check base_url: /oauth2/access_token is below it."
          : `Check client_id, ${shownName("client_secret", settings.client_secret)}, and that the application is ` +
            "confidential with the grant type client credentials.";
      throw new PullError("auth", `token: the LMS returned ${status}. ${remedy}`, status);
    }
    return { text: read.data.access_token, lifetime: read.data.expires_in };
  }

  return {
    async get(endpoint, path, shape, bounds = PAGE) {
      // The scheme is `JWT`, because some views accept only JWTs and reject `Bearer`.
      const answer = await withToken((token) =>
        http.send({ path, endpoint, bounds, headers: { authorization: `JWT ${token}` } }),
      );
      const { sentAt, date } = answer;
      if (answer.status >= 400) throw refusalOf(endpoint, answer);
      return { value: parseResponse(endpoint, shape, answer.body), sentAt, date };
    },
    next: (link) => (link ? http.follow(link) : null),
  };
}

function refusalOf(endpoint: string, { status, body }: PlatformAnswer): PullError {
  const code = isObject(body) ? body.error_code : undefined;
  const errorCode = typeof code === "string" && /^[a-z_]{1,60}$/.test(code) ? code : "";
  const refusal = (fault: PullFault, text: string) =>
    new PullError(fault, `${endpoint}: the LMS ${text}`, status);
  const returned = `returned ${status}${errorCode && ` (${errorCode})`}.`;
  if (status === 401)
    return refusal("auth", "rejects its own token (401). Check that the user of the application is active.");
  if (errorCode === "feature_not_enabled")
    return refusal(
      "forbidden",
      "returned feature_not_enabled. Turn on the waffle flag grades.writable_gradebook.",
    );
  if (status === 403) return refusal("forbidden", `${returned} The user of the application must be staff.`);
  if (status === 404) return refusal("missing", "returned 404.");
  return refusal("invalid", returned);
}
