import { createHash, randomBytes } from "node:crypto";
import { readBounded } from "#foundation/text/read-bounded.js";
import type { Certificate } from "./certificate.js";
import { readAnswer, type Timestamp, timestampRequest } from "./timestamp-token.js";

/** Requests timestamps from timestamp authorities (RFC 3161). */
export interface Timestamps {
  /**
   * Returns a timestamp of these bytes from the first authority that provides a valid one.
   * @throws Error that names each authority and the reason for its failure
   */
  of(bytes: Uint8Array): Promise<Timestamp>;
}

export interface TimestampsOptions {
  /** In order of preference. */
  readonly urls: readonly string[];
  /** Trusted certificates of authorities; if undefined, every authority is trusted. */
  readonly anchors?: readonly Certificate[] | undefined;
  /** Called with the outcome of each request; `error` is undefined if the request was successful. */
  onAnswer?(outcome: {
    readonly url: string;
    readonly error: Error | undefined;
    readonly isNew: boolean;
  }): void;
  readonly timeoutMs?: number;
  /** How long an authority is skipped after a failure. */
  readonly pauseMs?: number;
}

/** Short, because a document waits for the response. */
const TIMEOUT_MS = 3_000;
const PAUSE_MS = 60_000;

/**
 * Number of bytes that each PDF reserves for a token. A token contains the authority's certificate chain, and takes 2
 * to 7 KB.
 */
export const TOKEN_ROOM = 8 * 1024;
const MAX_ANSWER = 64 * 1024;

export function createTimestamps(options: TimestampsOptions): Timestamps {
  const { urls, anchors, onAnswer, timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS } = options;
  /** The latest failure of each authority. */
  const failures = new Map<string, { readonly at: number; readonly error: Error }>();

  async function fetchTimestamp(url: string, bytes: Uint8Array): Promise<Timestamp> {
    const nonce = randomBytes(8);
    nonce[0] = ((nonce[0] ?? 0) % 0x7f) + 1;
    const request = timestampRequest(createHash("sha256").update(bytes).digest(), nonce);
    const answer = await post(url, request, timeoutMs);
    const stamp = readingAnswer(() => readAnswer(answer, bytes, { nonce, now: new Date(), anchors }));
    if (stamp.token.length <= TOKEN_ROOM) return stamp;
    throw new RangeError(
      `returned a token of ${stamp.token.length} bytes; at most ${TOKEN_ROOM} are accepted`,
    );
  }

  function isLeftAlone(url: string): boolean {
    const failed = failures.get(url);
    return failed !== undefined && performance.now() - failed.at < pauseMs;
  }

  return {
    async of(bytes) {
      for (const url of urls) {
        if (isLeftAlone(url)) continue;
        try {
          const stamp = await fetchTimestamp(url, bytes);
          onAnswer?.({ url, error: undefined, isNew: failures.delete(url) });
          return stamp;
        } catch (thrown) {
          const error = thrown as Error;
          // Many documents may have waited for the same authority; only the first failure is new.
          onAnswer?.({ url, error, isNew: !isLeftAlone(url) });
          failures.set(url, { at: performance.now(), error });
        }
      }
      const reasons = urls.map((url) => `${shown(url)} ${failures.get(url)?.error.message}`);
      throw new Error(`No timestamp authority returned a timestamp: ${reasons.join("; ")}.`);
    },
  };
}

function readingAnswer(read: () => Timestamp): Timestamp {
  try {
    return read();
  } catch (cause) {
    throw new RangeError(`returned a response that ${(cause as Error).message}`, { cause });
  }
}

/** Returns an address without the parts that may be secret. */
export function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

async function post(url: string, body: Buffer, timeoutMs: number): Promise<Buffer> {
  const { username, password } = new URL(url);
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const response = await fetch(url.replace(/\/\/[^/@]*@/, "//"), {
    method: "POST",
    headers: {
      "content-type": "application/timestamp-query",
      accept: "application/timestamp-reply",
      ...(username && { authorization: `Basic ${Buffer.from(login).toString("base64")}` }),
    },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause) => {
    throw new Error(
      cause.name === "TimeoutError" ? `did not respond within ${timeoutMs / 1000} s` : "can't be reached",
      { cause },
    );
  });
  const type = response.headers.get("content-type")?.split(";")[0]?.trim();
  if (response.status !== 200 || type !== "application/timestamp-reply") {
    await response.body?.cancel();
    throw new Error(
      `responded with status ${response.status} and ${type ? `content type ${type}` : "no content type"}`,
    );
  }
  return readBounded(
    response.body,
    MAX_ANSWER,
    () => new Error(`responded with more than ${MAX_ANSWER} bytes`),
  );
}
