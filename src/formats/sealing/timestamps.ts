import { createHash, randomBytes } from "node:crypto";
import { readBounded } from "#foundation/text/read-bounded.js";
import type { Certificate } from "./certificate.js";
import { readAnswer, type Timestamp, timestampRequest } from "./timestamp-token.js";

/** Asks timestamp authorities (RFC 3161) for timestamps. */
export interface Timestamps {
  /**
   * Returns a timestamp of these bytes by the first authority that gives a good one.
   * @throws Error naming each authority, and why it gave none
   */
  of(bytes: Uint8Array): Promise<Timestamp>;
}

export interface TimestampsOptions {
  /** In order of preference. */
  readonly urls: readonly string[];
  /** Certificates that vouch for authorities; undefined: every authority is believed. */
  readonly anchors?: readonly Certificate[] | undefined;
  /** Called with the outcome of each request; an error says why there is no timestamp. */
  onAnswer?(outcome: {
    readonly url: string;
    readonly error: Error | undefined;
    readonly isNew: boolean;
  }): void;
  readonly timeoutMs?: number;
  /** For how long an authority that failed is left alone. */
  readonly pauseMs?: number;
}

/** A document waits for no longer. */
const TIMEOUT_MS = 3_000;
const PAUSE_MS = 60_000;

/** Bytes that are left for a token in each PDF. Tokens contain the chain of their authority, and take 2 to 7 KB. */
export const TOKEN_ROOM = 8 * 1024;
const MAX_ANSWER = 64 * 1024;

export function createTimestamps(options: TimestampsOptions): Timestamps {
  const { urls, anchors, onAnswer, timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS } = options;
  /** When an authority has failed, and why. */
  const failures = new Map<string, { readonly at: number; readonly error: Error }>();

  async function ask(url: string, bytes: Uint8Array): Promise<Timestamp> {
    const nonce = randomBytes(8);
    nonce[0] = ((nonce[0] ?? 0) % 0x7f) + 1;
    const request = timestampRequest(createHash("sha256").update(bytes).digest(), nonce);
    const answer = await post(url, request, timeoutMs);
    const stamp = readAnswer(answer, bytes, { nonce, now: new Date(), anchors });
    if (stamp.token.length <= TOKEN_ROOM) return stamp;
    throw new RangeError(`gives a token of ${stamp.token.length} bytes; at most ${TOKEN_ROOM} have room`);
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
          const stamp = await ask(url, bytes);
          onAnswer?.({ url, error: undefined, isNew: failures.delete(url) });
          return stamp;
        } catch (thrown) {
          const error = thrown as Error;
          // Many documents may have waited for it at the same time.
          onAnswer?.({ url, error, isNew: !isLeftAlone(url) });
          failures.set(url, { at: performance.now(), error });
        }
      }
      const reasons = urls.map((url) => `${shown(url)} ${failures.get(url)?.error.message}`);
      throw new Error(`No timestamp: ${reasons.join("; ")}`);
    },
  };
}

/** An address without what may be secret in it. */
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
      cause.name === "TimeoutError" ? `gives no answer within ${timeoutMs / 1000} s` : "can't be reached",
      { cause },
    );
  });
  const type = response.headers.get("content-type")?.split(";")[0]?.trim();
  if (response.status !== 200 || type !== "application/timestamp-reply") {
    await response.body?.cancel();
    throw new Error(`answers with status ${response.status} and ${type ?? "no type"}`);
  }
  return readBounded(
    response.body,
    MAX_ANSWER,
    () => new Error(`answers with more than ${MAX_ANSWER} bytes`),
  );
}
