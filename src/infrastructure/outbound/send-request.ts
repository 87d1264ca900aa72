import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { Problem } from "#foundation/errors.js";
import { type AnswerBounds, readBoundedJson } from "#foundation/text/read-bounded-json.js";
import { awaitAnswer } from "./await-answer.js";
import { describeFault } from "./describe-fault.js";
import { AddressRefusal, type Guard, guardedLookup, literalRefusal, refusePeer } from "./guard.js";

export interface Question {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limits of the response. Default: the limits for a single object */
  readonly bounds?: AnswerBounds;
}

/** A single object: a key set, a token, a configuration. The largest known object has 20 KB. */
const SINGLE_OBJECT: AnswerBounds = { bytes: 256 * 1024, values: 5_000 };

/** A page of a list: up to 2,000 members with one kilobyte each. */
export const LIST_PAGE: AnswerBounds = { bytes: 2 * 1024 * 1024, values: 100_000 };

export interface Answer {
  readonly status: number;
  /** @param name in lower case */
  header(name: string): string | undefined;
  readonly text: string;
}

/**
 * Sends a request, and reads the whole response. Redirects are not followed, and no proxy is used.
 * @param what name of the service in messages, for example `the platform's key set`
 * @throws Problem `unavailable` if there is no response, or if it is too large
 */
export type SendRequest = (what: string, url: string, question?: Question) => Promise<Answer>;

/** Limits for requests, and where they may go. */
export interface SendRequestDeps extends Guard {
  /** Time limit for the whole response. Default: 10 s. */
  readonly totalMs?: number;
}

/** Sends requests to addresses that the guard allows. Each request has its own connection. */
export function createSendRequest(deps: SendRequestDeps): SendRequest {
  const { rule, totalMs = 10_000 } = deps;

  function send(
    url: URL,
    { method = "GET", headers, body, bounds = SINGLE_OBJECT }: Question,
  ): Promise<Answer> {
    const isTls = url.protocol === "https:";
    const agent = isTls ? new HttpsAgent() : new HttpAgent();
    return new Promise((resolve, reject) => {
      const request = (isTls ? requestHttps : requestHttp)(url, {
        method,
        agent,
        lookup: guardedLookup(deps, isTls),
        headers: {
          ...headers,
          ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
          "user-agent": "learning-credentials",
        },
      });
      // Rejects explicitly, because destroying a finished request emits no event.
      const timer = setTimeout(() => {
        reject(new AddressRefusal("it did not respond in time", "timeout"));
        request.destroy();
      }, totalMs);
      refusePeer(request, rule);
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(error);
      };
      const read = (response: IncomingMessage) => {
        const tooLarge = (bound: string) => new AddressRefusal(`its response has more than ${bound}`);
        readBoundedJson(response, bounds, tooLarge)
          .finally(() => clearTimeout(timer))
          .then((text) => {
            const header = (name: string) => {
              const value = response.headers[name];
              return typeof value === "string" ? value : undefined;
            };
            resolve({ status: response.statusCode ?? 0, header, text });
          }, reject);
      };
      awaitAnswer(request, read, fail);
      request.end(body);
    });
  }

  return async (what, href, question = {}) => {
    const fail = (reason: string) => new Problem("unavailable", `${what} is unavailable: ${reason}.`);
    if (!URL.canParse(href) || !/^https?:\/\//i.test(href)) throw fail("its address is not an https URL");
    const url = new URL(href);
    const refusal = literalRefusal(url, rule);
    if (refusal !== undefined) throw fail(refusal);
    try {
      return await send(url, question);
    } catch (error) {
      throw fail(describeFault(error));
    }
  };
}
