/** One row of the contract: a request and its only correct response. */
export interface Exchange {
  readonly name: string;
  /** Default: GET */
  readonly method?: string;
  /** Percent-encoded; relative to `/api/learning_credentials/v1/` unless it begins with a slash. */
  readonly path: string;
  /** The headers of the request; see `callers.ts`. */
  readonly as?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The exact body. Download links have `expires=…&signature=…` instead of the expiry and signature. */
  readonly body: string;
  /** Response headers in addition to `jsonHeaders`, or overriding them; undefined means absent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Returns a GET with these headers, and its only correct response. */
export function get(name: string, as: Exchange["as"], path: string, status: number, body: string): Exchange {
  return { name, ...(as && { as }), path, status, body };
}

export const nobody = undefined;

export const PREFIX = "/api/learning_credentials/v1/";

export function targetOf({ path }: Pick<Exchange, "path">): string {
  return path.startsWith("/") ? path : PREFIX + path;
}

/** Returns the headers of every response with a body, unless its row overrides them. */
export function jsonHeaders(body: string): Record<string, string | undefined> {
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "transfer-encoding": undefined,
  };
}

/** Returns the error body of the configured and eligibility routes, and of unknown routes. */
export function detail(message: string): string {
  return `{"detail":${JSON.stringify(message)}}`;
}

/** Returns the error body of the metadata route. */
export function error(message: string): string {
  return `{"error":${JSON.stringify(message)}}`;
}

/** Returns the error body for a malformed key. `shown` is the decoded key, truncated to 100 characters. */
export function badKey(shown: string): string {
  return detail(
    `Invalid learning context key: ${JSON.stringify(shown)}. A key looks like course-v1:{org}+{course}+{run} or ` +
      "path-v1:{org}+{number}+{run}+{group}, with at most 255 characters.",
  );
}

/** Returns the error body for a query parameter that occurs twice. */
export function givenTwice(name: string): string {
  return detail(`${name}: give it once, not several times.`);
}

export const NO_CREDENTIALS = detail("Authentication credentials were not provided.");
export const INVALID_TOKEN = detail("Invalid token.");
export const NOT_YOURSELF = detail("Only staff can request data about other learners.");
export const NO_COURSE = detail("Course not found or user does not have access.");
export const NO_PATH = detail("Learning path not found or user does not have access.");
export const NO_ROUTE = detail("Not found.");
export const NO_CREDENTIAL = error("Credential not found.");

/** Returns the body of the configured route. */
export function configured(...names: string[]): string {
  const { length } = names;
  const isAny = length > 0;
  return (
    `{"is_configured":${isAny},"credential_types":${JSON.stringify(names)},` +
    `"has_credentials":${isAny},"credential_count":${length}}`
  );
}

/** Returns the body of the eligibility route with these complete entries. */
export function eligibility(contextKey: string, ...entries: string[]): string {
  return `{"context_key":"${contextKey}","credentials":[${entries.join(",")}]}`;
}
