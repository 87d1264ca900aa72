import type { z } from "zod";
import { isObject } from "#foundation/text/is-object.js";
import { nextLink } from "#infrastructure/outbound/link-header.js";
import { createTokenCache, type IssuedToken } from "#infrastructure/outbound/token-cache.js";
import { parseResponse } from "../driver/parse-response.js";
import type { PlatformAnswer, PoliteClient } from "../driver/polite-client.js";
import { PullError } from "../driver/pull-error.js";
import { SMALL } from "../driver/read-json.js";
import { readSecret, shownName } from "../driver/secret.js";
import type { OneRosterSettings } from "./oneroster-settings.js";
import { token } from "./oneroster-shapes.js";

type Service = "roster" | "gradebook";

export interface OneRosterApi {
  /**
   * @param path relative to the root of the service, or `next` of the previous page
   * @throws PullError also for unsuccessful responses
   */
  page<Row>(
    service: Service,
    endpoint: string,
    path: string,
    shape: z.ZodType<Row[]>,
  ): Promise<OneRosterPage<Row>>;
  one<T>(service: Service, endpoint: string, path: string, shape: z.ZodType<T>): Promise<T>;
  all<Row>(service: Service, endpoint: string, path: string, shape: z.ZodType<Row[]>): Promise<Row[]>;
}

interface OneRosterPage<Row> {
  readonly rows: readonly Row[];
  readonly sentAt: Date;
  readonly date: Date | undefined;
  readonly next: string | null;
}

/** The default page size of the specification, which every provider supports. */
const PAGE_SIZE = 100;

/** Maximum number of pages of a list that is read as a whole, with 50,000 rows in total. */
const MAX_PAGES = 500;

const BASE_PATHS: Readonly<Record<OneRosterSettings["version"], Readonly<Record<Service, string>>>> = {
  "1.1": { roster: "/ims/oneroster/v1p1", gradebook: "/ims/oneroster/v1p1" },
  "1.2": { roster: "/ims/oneroster/rostering/v1p2", gradebook: "/ims/oneroster/gradebook/v1p2" },
};

export function createOneRosterApi(settings: OneRosterSettings, http: PoliteClient): OneRosterApi {
  const roots = BASE_PATHS[settings.version];
  const withToken = createTokenCache(() => fetchToken(settings, http));

  async function request(service: Service, endpoint: string, path: string): Promise<PlatformAnswer> {
    const answer = await withToken((text) =>
      http.send({ path, endpoint, headers: { authorization: `Bearer ${text}` } }),
    );
    if (answer.status < 400) return answer;
    throw refusalOf(endpoint, answer.status, scopeOf(service, settings), settings);
  }

  async function page<Row>(
    service: Service,
    endpoint: string,
    path: string,
    shape: z.ZodType<Row[]>,
  ): Promise<OneRosterPage<Row>> {
    const at = path.startsWith(`${roots[service]}/`) ? path : `${roots[service]}${path}?limit=${PAGE_SIZE}`;
    const { body, headers, sentAt, date } = await request(service, endpoint, at);
    const rows = parseResponse(endpoint, shape, body);
    return { rows, sentAt, date, next: nextOf(at, rows.length, headers) };
  }

  /**
   * Returns the path of the next page. If the provider reports the number of rows, computes the next offset, because
   * some providers' links continue after the last page, or count pages instead of rows.
   */
  function nextOf(path: string, count: number, headers: Headers): string | null {
    if (count === 0) return null;
    const [before = "", query = ""] = path.split("?", 2);
    const parameters = new URLSearchParams(query);
    const end = Number(parameters.get("offset") ?? 0) + count;
    const total = headers.get("x-total-count");
    const isCounted = total !== null && /^\d+$/.test(total);
    const link = nextLink(headers.get("link"));
    if (!isCounted && link !== undefined) return http.follow(link);
    if (isCounted ? end >= Number(total) : count < PAGE_SIZE) return null;
    parameters.set("offset", String(end));
    return `${before}?${parameters}`;
  }

  return {
    page,
    async one(service, endpoint, path, shape) {
      const { body } = await request(service, endpoint, `${roots[service]}${path}`);
      return parseResponse(endpoint, shape, body);
    },
    async all<Row>(service: Service, endpoint: string, path: string, shape: z.ZodType<Row[]>) {
      const all: Row[] = [];
      let at: string | null = path;
      for (let count = 0; at !== null; count++) {
        if (count >= MAX_PAGES)
          throw new PullError("excessive", `${endpoint}: the list has more than ${MAX_PAGES} pages.`);
        const { rows, next }: OneRosterPage<Row> = await page(service, endpoint, at, shape);
        all.push(...rows);
        at = next;
      }
      return all;
    },
  };
}

async function fetchToken(settings: OneRosterSettings, http: PoliteClient): Promise<IssuedToken> {
  const { token_url, client_id = "" } = settings;
  if (settings.token) return { text: await readSecret(settings.token), lifetime: undefined };
  const { scopes, final_line_item, categories } = settings;
  const services: Service[] =
    final_line_item === undefined && !categories ? ["roster"] : ["roster", "gradebook"];
  const secret = await readSecret(settings.client_secret);
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scopes) form.set("scope", services.map((each) => scopeOf(each, settings)).join(" "));
  const credentials = [client_id, secret].map(encodeURIComponent).join(":");
  const answer = await http.send({
    method: "POST",
    path: "",
    ...(token_url !== undefined && { url: token_url }),
    endpoint: "token",
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    form,
    bounds: SMALL,
  });
  if (answer.status !== 200) throw tokenRefusal(answer, settings);
  const { access_token, expires_in } = parseResponse("token", token, answer.body);
  return { text: access_token, lifetime: expires_in };
}

function scopeOf(service: Service, { version }: OneRosterSettings): string {
  return `https://purl.imsglobal.org/spec/or/v${version.replace(".", "p")}/scope/${service}.readonly`;
}

function refusalOf(
  endpoint: string,
  status: number,
  scope: string,
  { token, client_secret }: OneRosterSettings,
): PullError {
  if (status === 401) {
    const what = token
      ? shownName("token", token)
      : `client_id and ${shownName("client_secret", client_secret)}`;
    const text = `${endpoint}: the provider rejects the token (401). Check ${what}.`;
    return new PullError("auth", text, status);
  }
  if (status === 403) {
    const text = `${endpoint}: the provider returned 403. Ask it to grant this client the scope ${scope}.`;
    return new PullError("forbidden", text, status);
  }
  if (status === 404) {
    const text = `${endpoint}: the provider returned 404. Check version and base_url, which is the part before /ims/oneroster. A provider that supports only the core of OneRoster has no lists by class: import its CSV instead.`;
    return new PullError("missing", text, status);
  }
  return new PullError("invalid", `${endpoint}: the provider returned ${status}.`, status);
}

function tokenRefusal(
  { status, body }: PlatformAnswer,
  { scopes, client_secret }: OneRosterSettings,
): PullError {
  const error = isObject(body) ? body.error : undefined;
  const remedy =
    error === "invalid_scope" && scopes
      ? "It rejects the scopes: ask it to grant them, or set scopes to false."
      : `Check token_url, client_id and ${shownName("client_secret", client_secret)}.`;
  return new PullError("auth", `token: the provider returned ${status}. ${remedy}`, status);
}
