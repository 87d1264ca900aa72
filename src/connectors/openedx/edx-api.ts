import { z } from "zod";
import { readSecretFile } from "../driver/connector-settings.js";
import type { Answer, PoliteClient } from "../driver/polite-client.js";
import { PullError } from "../driver/pull-error.js";
import { type AnswerBounds, PAGE, SMALL } from "../driver/read-json.js";
import { createTokenKeeper, type GivenToken } from "../driver/token-keeper.js";
import { unexpected } from "../driver/unexpected.js";
import type { EdxSettings } from "./edx-settings.js";

/** Reads from the REST API of an LMS, as its service user. */
export interface EdxApi {
  /**
   * @param endpoint its name in errors and metrics
   * @param bounds of the answer; default: those of a page
   * @throws PullError also for every answer that is not a success
   */
  get<T>(endpoint: string, path: string, shape: z.ZodType<T>, bounds?: AnswerBounds): Promise<ApiAnswer<T>>;
  /** Returns the path of a link to the next page; null after the last one. */
  next(link: string | null | undefined): string | null;
}

export interface ApiAnswer<T> {
  readonly value: T;
  readonly sentAt: Date;
  readonly date: Date | undefined;
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export function createEdxApi(settings: EdxSettings, http: PoliteClient): EdxApi {
  const tokens = createTokenKeeper(fetchToken);

  async function fetchToken(): Promise<GivenToken> {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: settings.client_id,
      client_secret: await readSecretFile(settings.client_secret_file),
      token_type: "jwt",
    });
    const { status, body } = await http.ask({
      method: "POST",
      path: "/oauth2/access_token",
      endpoint: "token",
      form,
      bounds: SMALL,
    });
    const read = tokenAnswer.safeParse(body);
    if (status === 404) {
      throw new PullError(
        "auth",
        "token: the LMS has answered 404. Check base_url: /oauth2/access_token is below it.",
        404,
      );
    }
    if (status !== 200 || !read.success) {
      throw new PullError(
        "auth",
        `token: the LMS has answered ${status}. Check client_id, client_secret_file, and that the application is ` +
          "confidential with the grant type client credentials.",
        status,
      );
    }
    return { text: read.data.access_token, lifetime: read.data.expires_in };
  }

  async function ask(endpoint: string, path: string, bounds: AnswerBounds): Promise<Answer> {
    const used = await tokens.current();
    // not `Bearer`: views that take only JWTs refuse it
    const answer = await http.ask({ path, endpoint, bounds, headers: { authorization: `JWT ${used}` } });
    if (answer.status !== 401) return answer;
    tokens.drop(used);
    const renewed = await tokens.current();
    const again = await http.ask({ path, endpoint, bounds, headers: { authorization: `JWT ${renewed}` } });
    if (again.status !== 401) return again;
    throw new PullError(
      "auth",
      `${endpoint}: the LMS refuses its own token (401). Check that the user of the application is active.`,
      401,
    );
  }

  return {
    async get(endpoint, path, shape, bounds = PAGE) {
      const answer = await ask(endpoint, path, bounds);
      if (answer.status >= 400) throw refusalOf(endpoint, answer);
      const read = shape.safeParse(answer.body);
      if (!read.success) throw unexpected(endpoint, read.error);
      return { value: read.data, sentAt: answer.sentAt, date: answer.date };
    },
    next: (link) => (link ? http.follow(link) : null),
  };
}

function refusalOf(endpoint: string, { status, body }: Answer): PullError {
  const { error_code: code } = (typeof body === "object" && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const known = typeof code === "string" && /^[a-z_]{1,60}$/.test(code) ? code : "";
  if (known === "feature_not_enabled") {
    return new PullError(
      "forbidden",
      `${endpoint}: the LMS answers feature_not_enabled. Switch on the waffle flag grades.writable_gradebook.`,
      status,
    );
  }
  if (status === 403) {
    return new PullError(
      "forbidden",
      `${endpoint}: the LMS answers 403${known && ` (${known})`}. The user of the application must be staff.`,
      status,
    );
  }
  if (status === 404) return new PullError("missing", `${endpoint}: the LMS answers 404.`, status);
  return new PullError("invalid", `${endpoint}: the LMS answers ${status}${known && ` (${known})`}.`, status);
}
