import http from "node:http";
import https from "node:https";
import type { ClientOptions } from "minio";

/** How minio's client sends requests. */
type S3Transport = NonNullable<ClientOptions["transport"]>;

/**
 * Statuses after which minio's client would retry. It would leave the response unread, so that the connection is never
 * freed. With this transport, these statuses are errors, and only `retry.ts` retries.
 */
const BUSY = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/**
 * A transport on which no request hangs, because minio's client has no timeout of its own.
 * @param limits.idleMs maximum time for connecting, and without data sent or received
 * @param limits.attemptMs maximum time for one request and its whole response
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
    // Node reports a response with status 101 only through this event.
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      sent.emit("error", new Error("it responded with status 101"));
    });
    const deadline = setTimeout(() => give(`it took longer than ${limits.attemptMs} ms`), limits.attemptMs);
    sent.once("close", () => clearTimeout(deadline));
    return sent;
  }
  return { request: send as S3Transport["request"] };
}

function faultIn({ statusCode = 0, headers }: http.IncomingMessage): string | undefined {
  if (BUSY.has(statusCode)) return `it responded with status ${statusCode}`;
  return isPage(statusCode, headers) ? "it returned a web page, so it is not an S3 service" : undefined;
}

/**
 * Returns whether a proxy, a login page or another server responded instead of S3. Empty responses are not pages,
 * because some S3 implementations also send them with the type `text/html`.
 */
function isPage(statusCode: number, headers: http.IncomingHttpHeaders): boolean {
  const isHtml = /^text\/html\b/i.test(headers["content-type"] ?? "");
  return isHtml && statusCode !== 204 && headers["content-length"] !== "0";
}
