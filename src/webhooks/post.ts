import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { parseRetryAfter } from "../text/retry-after.js";
import type { AddressRule } from "./address-rule.js";
import { forbidden, literalRefusal, UNENCRYPTED } from "./endpoint-url.js";
import type { ResolveName } from "./resolve-name.js";
import type { AttemptOutcome } from "./webhook-attempt.js";

/** How a request has ended. */
export interface PostResult {
  readonly outcome: Exclude<AttemptOutcome, "skipped">;
  /** HTTP status of the answer; null if there was none. */
  readonly status: number | null;
  /** What went wrong, in words of this service. Empty if nothing did. */
  readonly error: string;
  readonly ms: number;
  /** How long the receiver asks to wait; undefined if it does not. */
  readonly retryAfterMs: number | undefined;
  /** The beginning of the answer's body: text of the receiver, for staff who test an endpoint. Never stored. */
  readonly excerpt: string;
}

/** Connections to one endpoint, which are used again. */
export interface Posting {
  post(headers: Readonly<Record<string, string>>, body: string): Promise<PostResult>;
  close(): void;
}

/** How and where requests may go. */
export interface PostingDeps {
  readonly rule: AddressRule;
  readonly resolveName: ResolveName;
  /** Limits in milliseconds. Default: 5 s to connect, 15 s in all. */
  readonly limits?: { readonly connectMs: number; readonly totalMs: number };
  /** Certificates to trust besides those of Node. For tests. */
  readonly ca?: string;
}

const LIMITS = { connectMs: 5_000, totalMs: 15_000 };

/** The rest of a longer answer is not read. */
const MAX_ANSWER = 16 * 1024;

/** How long the rest of an answer is awaited. Its status alone decides. */
const REST_MS = 2_000;

const EXCERPT = 200;

/** The receiver says that this request is wrong, and would refuse it again. */
const REJECTIONS: readonly number[] = [400, 404, 413, 422];

/** Thrown while connecting; the message is the `error` of the result. */
class Refusal extends Error {}

/**
 * Opens connections to an endpoint. Each new connection resolves the name once, checks every address of it, and
 * connects to one of those. A name that leads elsewhere a moment later changes nothing. Redirects are not followed, and
 * no proxy is used.
 */
export function openPosting(endpointUrl: string, deps: PostingDeps): Posting {
  const { rule, resolveName, limits = LIMITS } = deps;
  const url = new URL(endpointUrl);
  const isTls = url.protocol === "https:";
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const lookup: LookupFunction = (hostname, options, callback) => {
    addressesOf(hostname).then(
      (found) => {
        const all = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = all;
        if (options.all) callback(null, all);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error) => callback(error, "", undefined),
    );
  };

  async function addressesOf(hostname: string): Promise<string[]> {
    const found = await resolveName(hostname).catch(() => {
      throw new Refusal("its name has no address");
    });
    if (found.length === 0) throw new Refusal("its name has no address");
    for (const address of found) {
      const kind = rule.refusalOf(address);
      if (kind !== undefined) throw new Refusal(forbidden(kind));
    }
    if (!isTls && !found.every(rule.isInAllowedNetwork)) throw new Refusal(UNENCRYPTED);
    return found;
  }

  function send(headers: Readonly<Record<string, string>>, body: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const request = (isTls ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent,
        lookup,
        ...(deps.ca !== undefined && { ca: deps.ca }),
        headers: {
          ...headers,
          "content-length": Buffer.byteLength(body),
          "user-agent": "learning-credentials",
        },
      });
      const giveUp = (error: string) => () => request.destroy(new Refusal(error));
      const connecting = setTimeout(giveUp("it could not be connected to in time"), limits.connectMs);
      const answering = setTimeout(giveUp("it did not answer in time"), limits.totalMs);
      request.on("socket", (socket) => {
        if (!socket.connecting) return clearTimeout(connecting); // it is used again
        // Before the request is written: what was connected to is what was checked.
        socket.prependOnceListener("connect", () => {
          const refusal = refusalOfPeer(socket);
          if (refusal !== undefined) request.destroy(new Refusal(refusal));
          else if (!isTls) clearTimeout(connecting);
        });
        socket.once("secureConnect", () => clearTimeout(connecting));
      });
      request.on("response", (response) => {
        clearTimeout(connecting);
        readRest(response).then((excerpt) => {
          clearTimeout(answering);
          resolve({ response, excerpt });
        });
      });
      request.on("error", (error) => {
        clearTimeout(connecting);
        clearTimeout(answering);
        reject(request.reusedSocket ? Object.assign(error, { isReused: true }) : error);
      });
      request.end(body);
    });
  }

  function refusalOfPeer({ remoteAddress }: Socket): string | undefined {
    const kind = rule.refusalOf(remoteAddress ?? "");
    return kind === undefined ? undefined : forbidden(kind);
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
        return ended({ outcome: "failed", status: null, error: describe(error) });
      }
    },
    close: () => agent.destroy(),
  };
}

/** Receivers close idle connections, perhaps at the moment at which one is used again. */
function isClosed(error: NodeJS.ErrnoException & { isReused?: true }): boolean {
  return error.isReused === true && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

interface Answered {
  readonly response: IncomingMessage;
  readonly excerpt: string;
}

/** Reads the body to its end, or to a limit of time or size; then the connection is given up. Never rejects. */
function readRest(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let length = 0;
    let excerpt = Buffer.alloc(0);
    const finish = () => {
      clearTimeout(timer);
      if (!response.complete) response.destroy();
      resolve(excerpt.toString("utf8"));
    };
    const timer = setTimeout(finish, REST_MS);
    response.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (excerpt.length < EXCERPT) excerpt = Buffer.concat([excerpt, chunk]).subarray(0, EXCERPT);
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
    return { outcome: "failed", error: `it answered ${status}: redirects are not followed` };
  return { outcome: REJECTIONS.includes(status) ? "rejected" : "failed", error: `it answered ${status}` };
}

const UNTRUSTED =
  "its certificate is of an authority that is not trusted (NODE_EXTRA_CA_CERTS names further ones), or the chain to it is not complete";

/** Errors of connections, by the code of Node. */
const faults: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  CERT_REVOKED: "its certificate was revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  EPROTO: "it does not speak TLS, or only old versions of it",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS, or only old versions of it",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed without an answer",
  EPIPE: "the connection was closed without an answer",
  EHOSTUNREACH: "its host can't be reached",
  ENETUNREACH: "its network can't be reached",
  ETIMEDOUT: "it could not be connected to in time",
};

/** Puts an error into words of this service: those of others may name somebody. */
function describe(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal) return error.message;
  if (error instanceof AggregateError) return describe(error.errors[0]);
  if (code.startsWith("HPE_")) return "its answer is not HTTP";
  return (
    faults[code] ??
    (/^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? `the connection failed (${code})` : "the connection failed")
  );
}
