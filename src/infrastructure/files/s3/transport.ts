import http from "node:http";
import https from "node:https";
import type { ClientOptions } from "minio";

/** How minio's client sends its requests. */
export type S3Transport = NonNullable<ClientOptions["transport"]>;

/**
 * Statuses that minio's client would retry by itself. It would leave the response unread, so that its
 * connection is never freed. Here they are errors, and only `retry.ts` retries.
 */
const BUSY = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/**
 * Creates a transport on which no request hangs, because minio's client has no timeout of its own.
 * @param limits.idleMs while connecting, and whenever nothing is sent or received
 * @param limits.attemptMs for one request and its response as a whole
 * @param onDate is called with the server's time from its responses
 */
export function createS3Transport(
  protocol: string,
  limits: { idleMs: number; attemptMs: number },
  onDate: (date: Date) => void = () => {},
): S3Transport {
  const { request } = protocol === "https:" ? https : http;

  function send(options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) {
    const sent = request({ ...options, timeout: limits.idleMs }, (response) => {
      onDate(new Date(response.headers.date ?? Number.NaN));
      const fault = faultIn(response);
      if (fault === undefined) return onResponse(response);
      response.destroy();
      sent.emit("error", new Error(fault));
    });
    const give = (up: string) => sent.destroy(Object.assign(new Error(up), { code: "ETIMEDOUT" }));
    sent.on("timeout", () => give(`nothing was sent or received for ${limits.idleMs} ms`));
    // Node reports this response only by this event.
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      sent.emit("error", new Error("it answered with status 101"));
    });
    const deadline = setTimeout(() => give(`it took longer than ${limits.attemptMs} ms`), limits.attemptMs);
    sent.once("close", () => clearTimeout(deadline));
    return sent;
  }
  return { request: send as S3Transport["request"] };
}

function faultIn({ statusCode = 0, headers }: http.IncomingMessage): string | undefined {
  if (BUSY.has(statusCode)) return `it answered with status ${statusCode}`;
  return isPage(statusCode, headers) ? "it answered with a web page, as no S3 does" : undefined;
}

/**
 * Recognises a response of a proxy, a login page or another server instead of S3. Some S3 implementations send their
 * empty responses with this type, too.
 */
function isPage(statusCode: number, headers: http.IncomingHttpHeaders): boolean {
  const isHtml = /^text\/html\b/i.test(headers["content-type"] ?? "");
  return isHtml && statusCode !== 204 && headers["content-length"] !== "0";
}
