import { setTimeout as sleep } from "node:timers/promises";
import type { AnswerBounds } from "#foundation/text/read-bounded-json.js";
import { parseRetryAfter } from "#foundation/text/retry-after.js";
import { AddressRefusal } from "#infrastructure/outbound/guard.js";
import type { GuardedFetch } from "#infrastructure/outbound/guarded-fetch.js";
import { atOrigin } from "#infrastructure/outbound/link-header.js";
import { PullError } from "./pull-error.js";
import { PAGE, readBody } from "./read-json.js";
import { createRequestPace } from "./request-pace.js";

/** Sends requests to one platform, and to no other host, within the configured rate. */
export interface PoliteClient {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** @throws PullError if there is no readable response */
  send(request: Request): Promise<PlatformAnswer>;
  /**
   * Returns the path and query of a link in a response.
   * @throws PullError `foreign` for a link to another host, which must not receive our token
   */
  follow(link: string): string;
  cost(): Cost;
}

/** The load that the client's requests have put on the platform. */
export interface Cost {
  readonly requests: number;
  /** Number of requests that the platform rejected because there were too many. */
  readonly refusals: number;
  /** Total time for which the platform's responses paused the client. Overlapping waits count once. */
  readonly waitSeconds: number;
}

interface Request {
  readonly method?: "GET" | "POST";
  readonly path: string;
  /** Used instead of `path`, for a complete URL in the connector's settings. */
  readonly url?: string;
  /**
   * Name of the endpoint in metrics and errors. A path is not used there, because it could contain a learner's name.
   */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
  /** Default: the bounds of a page. */
  readonly bounds?: AnswerBounds;
  /** Recognises successful responses which mean that the platform is unavailable, and returns the reason. */
  readonly isUnavailable?: (body: unknown) => string | undefined;
  /** Recognises rejections because of too many requests, in addition to responses with status 429 or 503. */
  readonly isRefused?: (status: number, text: string) => boolean;
  /** Returns for how many milliseconds to pause after a response, unless the request was rejected. */
  readonly restAfter?: (headers: Headers) => number;
}

export interface PlatformAnswer {
  readonly status: number;
  /** Parsed JSON; undefined if the body is empty. */
  readonly body: unknown;
  readonly headers: Headers;
  readonly sentAt: Date;
  /** The time on the platform's clock; undefined if the response doesn't contain it. */
  readonly date: Date | undefined;
}

export interface RetryPolicy {
  readonly first: number;
  readonly longest: number;
  /** Milliseconds to wait after status 504, because the platform is probably still working on the request. */
  readonly gateway: number;
  readonly attempts: number;
  readonly timeout: number;
  /** Milliseconds without requests after ten failures in a row. */
  readonly pause: number;
  /** Milliseconds after which one more concurrent request is permitted again. */
  readonly recovery: number;
}

const RETRY_POLICY: RetryPolicy = {
  first: 1_000,
  longest: 120_000,
  gateway: 60_000,
  attempts: 6,
  timeout: 60_000,
  pause: 300_000,
  recovery: 60_000,
};

const FAILURES_TO_BREAK = 10;
const MINUTE_MS = 60_000;

/** Maximum accepted `Retry-After`. Waiting longer wouldn't solve the platform's problem. */
const MAX_WAIT_MS = 15 * MINUTE_MS;

/** Maximum difference between the platform's clock and ours. Records can't be dated further into the future. */
const MAX_CLOCK_DIFFERENCE_MS = 86_400_000;

export interface RequestMetrics {
  request(endpoint: string, code: string, seconds: number): void;
  throttled(seconds: number): void;
}

interface PoliteClientOptions {
  readonly baseUrl: string;
  readonly requestsPerMinute: number;
  readonly concurrency: number;
  readonly retryPolicy?: Partial<RetryPolicy>;
  readonly metrics: RequestMetrics;
  readonly signal: AbortSignal;
  /** Default: `fetch`, which connects to any address. */
  readonly send?: GuardedFetch;
}

/**
 * Creates a client that spaces requests evenly. `Retry-After` delays all requests. When the platform is overloaded, the
 * client halves the number of concurrent requests. Afterwards, it permits one more every minute.
 */
export function createPoliteClient(options: PoliteClientOptions): PoliteClient {
  const { requestsPerMinute, concurrency, metrics, signal, send = sendAnywhere } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const retryPolicy = { ...RETRY_POLICY, ...options.retryPolicy };
  const pace = createRequestPace({
    gap: MINUTE_MS / requestsPerMinute,
    concurrency,
    recovery: retryPolicy.recovery,
    signal,
  });
  const breaker = createBreaker(FAILURES_TO_BREAK, retryPolicy.pause);
  const cost = { requests: 0, refusals: 0, waitSeconds: 0 };

  function hold(wait: number): void {
    const seconds = pace.hold(Math.min(wait, MAX_WAIT_MS)) / 1000;
    metrics.throttled(seconds);
    cost.waitSeconds += seconds;
  }

  async function attempt(request: Request): Promise<PlatformAnswer | Failure> {
    await pace.enter();
    const sentAt = new Date();
    cost.requests++;
    let code: string | undefined;
    try {
      const response = await send(request.url ?? `${baseUrl}${request.path}`, {
        method: request.method ?? "GET",
        headers: { accept: "application/json", ...request.headers },
        ...(request.form && { body: request.form }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(retryPolicy.timeout)]),
      });
      code = String(response.status);
      const text = await readBody(response, request.endpoint, request.bounds ?? PAGE);
      const date = clockOf(request, response, sentAt);
      const { status, headers } = response;
      if (status === 429 || status === 503 || request.isRefused?.(status, text)) {
        pace.slowDown();
        cost.refusals++;
        const wait = parseRetryAfter(headers.get("retry-after"), Date.now());
        if (wait !== undefined) hold(wait);
        return { wait, text: `it responded with status ${status}`, status };
      }
      const rest = request.restAfter?.(headers) ?? 0;
      if (rest > 0) hold(rest);
      return readAnswer(request, response, text, sentAt, date);
    } catch (error) {
      if (error instanceof PullError) throw error;
      signal.throwIfAborted();
      code = "none";
      pace.slowDown();
      return { text: reasonOf(error), cause: error };
    } finally {
      if (code !== undefined) metrics.request(request.endpoint, code, (Date.now() - sentAt.getTime()) / 1000);
      pace.leave();
    }
  }

  return {
    baseUrl,
    cost: () => ({ ...cost }),
    async send(request) {
      if (breaker.isOpen()) throw unavailable(request, "requests to it are paused after many failures");
      for (let count = 1; ; count++) {
        const answer = await attempt(request);
        if (!("text" in answer)) {
          breaker.succeed();
          return answer;
        }
        if (breaker.fail()) throw unavailable(request, answer.text, answer);
        const attempts = answer.isGateway ? Math.min(2, retryPolicy.attempts) : retryPolicy.attempts;
        if (count >= attempts) throw unavailable(request, answer.text, answer);
        if (answer.wait !== undefined) continue; // no wait here, because `answer.wait` already delays all requests
        await sleep(pauseAfter(answer, count, retryPolicy), undefined, { signal });
      }
    },
    follow: (link) => pathWithin(baseUrl, link),
  };
}

/**
 * Returns the pause after a failed attempt, in milliseconds.
 * @param count number of attempts so far
 */
function pauseAfter({ isGateway }: Failure, count: number, policy: RetryPolicy): number {
  if (isGateway) return policy.gateway;
  const longest = Math.min(policy.longest, policy.first * 2 ** (count - 1));
  return longest * (0.5 + Math.random() / 2);
}

/** Stops requests for `pause` milliseconds after a number of failures in a row. */
function createBreaker(failuresToBreak: number, pause: number) {
  let failures = 0;
  let brokenUntil = 0;
  return {
    isOpen: () => Date.now() < brokenUntil,
    succeed() {
      failures = 0;
    },
    /** Counts a failure. Returns true if it stops requests. */
    fail(): boolean {
      if (++failures < failuresToBreak) return false;
      failures = 0;
      brokenUntil = Date.now() + pause;
      return true;
    },
  };
}

/** @throws PullError for a redirect */
function readAnswer(
  { endpoint, isUnavailable }: Request,
  { status, headers }: Response,
  text: string,
  sentAt: Date,
  date: Date | undefined,
): PlatformAnswer | Failure {
  if (status >= 500) return { isGateway: status === 504, text: `it responded with status ${status}`, status };
  if (status >= 300 && status < 400) {
    throw new PullError(
      "invalid",
      `${endpoint} redirects: set base_url to the address that it redirects to`,
      status,
    );
  }
  try {
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const reason = isUnavailable?.(body);
    if (reason !== undefined) return { text: `it returned ${reason}`, status };
    return { status, body, headers, sentAt, date };
  } catch (cause) {
    // The body may be the error page of a proxy, or a maintenance page.
    if (status < 400)
      return {
        text: "it did not return JSON, but perhaps a maintenance page or the page of another program: check base_url",
        status,
        cause,
      };
    return { status, body: undefined, headers, sentAt, date };
  }
}

/** @throws PullError if the link leads to another host, or is not below the base URL */
function pathWithin(baseUrl: string, link: string): string {
  const base = new URL(`${baseUrl}/`);
  if (!URL.canParse(link, base.href)) throw new PullError("invalid", "a link to the next page is not a URL");
  const target = atOrigin(link, base);
  if (!target) {
    throw new PullError("foreign", "a link to the next page leads to a different host, and is not followed");
  }
  const path = `${target.pathname}${target.search}`;
  if (!path.startsWith(base.pathname)) {
    throw new PullError("foreign", "a link to the next page leads out of base_url, and is not followed");
  }
  return path.slice(base.pathname.length - 1);
}

/**
 * Returns the platform's time, or `undefined` if the response doesn't contain it.
 * @throws PullError `clock` if the platform's clock differs from ours by more than a day
 */
function clockOf({ endpoint }: Request, { headers }: Response, sentAt: Date): Date | undefined {
  const date = new Date(headers.get("date") ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return undefined;
  const hours = Math.round((date.getTime() - sentAt.getTime()) / 3_600_000);
  if (Math.abs(date.getTime() - sentAt.getTime()) <= MAX_CLOCK_DIFFERENCE_MS) return date;
  throw new PullError(
    "clock",
    `${endpoint}: the platform's clock is ${Math.abs(hours)} hours ${hours > 0 ? "ahead of" : "behind"} ours. Correct ` +
      "the clock that is wrong, because the times of records determine which records apply.",
  );
}

interface Failure {
  /** Milliseconds to wait, as required by the platform. */
  readonly wait?: number | undefined;
  readonly isGateway?: boolean;
  readonly text: string;
  readonly status?: number;
  readonly cause?: unknown;
}

function unavailable({ endpoint }: Request, text: string, failure?: Failure): PullError {
  return new PullError(
    "unavailable",
    `${endpoint} can't be read from the platform: ${text}.`,
    failure?.status,
    {
      cause: failure?.cause,
    },
  );
}

/** Connects to any address. Used for connectors in `CONNECTORS_FILE`, because operators may choose any address. */
const sendAnywhere: GuardedFetch = (href, request) => fetch(href, { ...request, redirect: "manual" });

/** Advice by code of the socket error. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refused the connection: check base_url",
  ECONNRESET: "it closed the connection",
  ENOTFOUND: "the host name is unknown: check base_url",
  EAI_AGAIN: "the host name can't be looked up now",
  ETIMEDOUT: "this machine can't reach it: check base_url and the network",
  EHOSTUNREACH: "this machine can't reach it: check base_url and the network",
  ENETUNREACH: "this machine can't reach it: check base_url and the network",
  UND_ERR_CONNECT_TIMEOUT: "this machine can't reach it: check base_url and the network",
  UND_ERR_SOCKET: "it closed the connection",
};

/** Describes an error. Quotes only the message of an `AddressRefusal`, because others may contain an address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the reason is unknown";
  if (error instanceof AddressRefusal) return error.message;
  if (error.name === "TimeoutError") return "it took too long to respond";
  const { code } = (error.cause ?? error) as { code?: unknown };
  if (typeof code !== "string") return "the connection failed";
  if (/CERT|SSL|TLS|SIGNATURE|ISSUER/.test(code)) {
    return `its certificate can't be trusted (${code}): correct it, or name its authority in NODE_EXTRA_CA_CERTS`;
  }
  return reasons[code] ?? `the connection failed (${code.slice(0, 40)})`;
}
