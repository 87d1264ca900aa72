import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { awaitAnswer } from "./await-answer.js";
import { AddressRefusal, type Guard, guardedLookup, literalRefusal, refusePeer } from "./guard.js";

/** The options of a request, like those of `fetch`. Redirects are never followed. */
interface GuardedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
  readonly signal: AbortSignal;
}

export type GuardedFetch = (href: string, request: GuardedRequest) => Promise<Response>;

const WITHOUT_BODY = [204, 205, 304];

/**
 * Creates a function like `fetch` for addresses that users have entered. It connects only to addresses that the guard
 * allows, uses no proxy, and reuses connections. For other addresses, its promise is rejected with an `AddressRefusal`.
 */
export function createGuardedFetch(guard: Guard): GuardedFetch {
  const { rule } = guard;
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  return (href, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(href);
      const refusal = literalRefusal(url, rule);
      if (refusal !== undefined) throw new AddressRefusal(refusal);
      const isTls = url.protocol === "https:";
      const text = body?.toString();
      const request = (isTls ? requestHttps : requestHttp)(url, {
        method,
        signal,
        agent: isTls ? agents.https : agents.http,
        lookup: guardedLookup(guard, isTls),
        headers: {
          ...(text !== undefined && {
            "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
            "content-length": Buffer.byteLength(text),
          }),
          "user-agent": "learning-credentials",
          ...headers,
        },
      });
      refusePeer(request, rule);
      const answer = (incoming: IncomingMessage) => {
        try {
          resolve(responseOf(incoming));
        } catch {
          request.destroy();
          reject(new AddressRefusal("its response is not valid HTTP"));
        }
      };
      awaitAnswer(request, answer, reject);
      request.end(text);
    });
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  if (!WITHOUT_BODY.includes(status))
    return new Response(Readable.toWeb(incoming) as ReadableStream, { status, headers });
  incoming.resume();
  return new Response(null, { status, headers });
}
