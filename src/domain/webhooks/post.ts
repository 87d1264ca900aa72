import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { performance } from "node:perf_hooks";
import { parseRetryAfter } from "#foundation/text/retry-after.js";
import { awaitAnswer } from "#infrastructure/outbound/await-answer.js";
import { describeFault } from "#infrastructure/outbound/describe-fault.js";
import {
  AddressRefusal,
  type Guard,
  guardedLookup,
  literalRefusal,
  refusePeer,
} from "#infrastructure/outbound/guard.js";
import type { AttemptOutcome } from "./webhook-attempt.js";

export interface PostResult {
  readonly outcome: Exclude<AttemptOutcome, "skipped">;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Description by this service; empty if there was no error. */
  readonly error: string;
  readonly ms: number;
  /** The wait that the receiver requested. */
  readonly retryAfterMs: number | undefined;
  /** The beginning of the response body. It is shown to staff who test an endpoint, and never stored. */
  readonly excerpt: string;
}

/** Connections to one endpoint, which are reused. */
export interface Posting {
  post(headers: Readonly<Record<string, string>>, body: string): Promise<PostResult>;
  close(): void;
}

export interface PostingDeps extends Guard {
  /** In milliseconds. Default: 5 s to connect, 15 s in total. */
  readonly limits?: { readonly connectMs: number; readonly totalMs: number };
}

const LIMITS = { connectMs: 5_000, totalMs: 15_000 };

/** Maximum number of bytes read from a response. */
const MAX_ANSWER = 16 * 1024;

/** Maximum time to wait for the rest of a response, in milliseconds. Only the status matters. */
const REST_TIMEOUT_MS = 2_000;

const MAX_EXCERPT_BYTES = 200;

/**
 * Statuses with which the receiver says that the request is invalid. If sent again, the request would be rejected
 * again.
 */
const REJECTIONS: readonly number[] = [400, 404, 413, 422];

/**
 * Opens connections to an endpoint. Each new connection resolves the host name once, checks every address found, and
 * connects to one of these addresses. A change of the DNS record in between therefore has no effect. Redirects are not
 * followed, and no proxy is used.
 */
export function openPosting(endpointUrl: string, deps: PostingDeps): Posting {
  const { rule, limits = LIMITS } = deps;
  const url = new URL(endpointUrl);
  const isTls = url.protocol === "https:";
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const lookup = guardedLookup(deps, isTls);

  function send(headers: Readonly<Record<string, string>>, body: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const request = (isTls ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent,
        lookup,
        headers: {
          ...headers,
          "content-length": Buffer.byteLength(body),
          "user-agent": "learning-credentials",
        },
      });
      const fail = (error: Error) => {
        clearTimeout(connecting);
        clearTimeout(answering);
        reject(request.reusedSocket ? Object.assign(error, { isReused: true }) : error);
      };
      // Calls `fail` itself, because destroying a request no longer causes an error once its response has begun.
      const giveUp = (error: string) => () => {
        fail(new AddressRefusal(error));
        request.destroy();
      };
      const connecting = setTimeout(giveUp("connecting took too long"), limits.connectMs);
      const answering = setTimeout(giveUp("it did not respond in time"), limits.totalMs);
      refusePeer(request, rule);
      request.on("socket", (socket) => {
        if (!socket.connecting) return clearTimeout(connecting); // the connection is reused
        socket.once(isTls ? "secureConnect" : "connect", () => clearTimeout(connecting));
      });
      const read = (response: IncomingMessage) => {
        clearTimeout(connecting);
        readExcerpt(response).then((excerpt) => {
          clearTimeout(answering);
          resolve({ response, excerpt });
        });
      };
      awaitAnswer(request, read, fail);
      request.end(body);
    });
  }

  return {
    async post(headers, body) {
      const started = performance.now();
      const refusal = literalRefusal(url, rule);
      const ended = (result: Pick<PostResult, "outcome" | "status" | "error"> & Partial<PostResult>) => ({
        retryAfterMs: undefined,
        excerpt: "",
        ms: Math.round(performance.now() - started),
        ...result,
      });
      if (refusal !== undefined) return ended({ outcome: "failed", status: null, error: refusal });
      try {
        const { response, excerpt } = await send(headers, body).catch((error) => {
          if (!isClosed(error)) throw error;
          return send(headers, body);
        });
        const status = response.statusCode ?? 0;
        const retryAfterMs = parseRetryAfter(response.headers["retry-after"], Date.now());
        return ended({ ...judge(status), status, retryAfterMs, excerpt });
      } catch (error) {
        return ended({ outcome: "failed", status: null, error: describeFault(error) });
      }
    },
    close: () => agent.destroy(),
  };
}

/** Returns whether the receiver has closed a reused connection, which receivers may do at any time. */
function isClosed(error: NodeJS.ErrnoException & { isReused?: true }): boolean {
  return error.isReused === true && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

interface Answered {
  readonly response: IncomingMessage;
  readonly excerpt: string;
}

/** Reads the rest of the body. At a limit of time or size, closes the connection instead. Never rejects. */
function readExcerpt(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let length = 0;
    let excerpt = Buffer.alloc(0);
    const finish = () => {
      clearTimeout(timer);
      if (!response.complete) response.destroy();
      resolve(excerpt.toString("utf8"));
    };
    const timer = setTimeout(finish, REST_TIMEOUT_MS);
    response.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (excerpt.length < MAX_EXCERPT_BYTES)
        excerpt = Buffer.concat([excerpt, chunk]).subarray(0, MAX_EXCERPT_BYTES);
      if (length > MAX_ANSWER) finish();
    });
    response.on("end", finish);
    response.on("error", finish);
    response.on("close", finish);
  });
}

function judge(status: number): Pick<PostResult, "outcome" | "error"> {
  if (status >= 200 && status < 300) return { outcome: "delivered", error: "" };
  if (status >= 300 && status < 400)
    return { outcome: "failed", error: `it responded with status ${status}: redirects are not followed` };
  return {
    outcome: REJECTIONS.includes(status) ? "rejected" : "failed",
    error: `it responded with status ${status}`,
  };
}
