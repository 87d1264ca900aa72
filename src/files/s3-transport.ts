import http from "node:http";
import https from "node:https";
import type { ClientOptions } from "minio";

/** How minio's client sends its requests. */
export type S3Transport = NonNullable<ClientOptions["transport"]>;

/**
 * Statuses after which minio's client would send the request again by itself, and leave the answer unread, whose
 * connection is then never free again. Here they are errors, and `retry.ts` alone sends again.
 */
const BUSY = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/**
 * Creates a transport on which no request hangs: minio's client has no timeout of its own.
 * @param limits.idleMs while connecting, and wherever nothing is sent or received
 * @param limits.attemptMs for one request and its answer as a whole
 */
export function createS3Transport(
  protocol: string,
  limits: { idleMs: number; attemptMs: number },
): S3Transport {
  const { request } = protocol === "https:" ? https : http;

  function send(options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void) {
    const sent = request({ ...options, timeout: limits.idleMs }, (response) => {
      if (!BUSY.has(response.statusCode ?? 0)) return onResponse(response);
      response.destroy();
      sent.emit("error", new Error(`it answered with status ${response.statusCode}`));
    });
    const give = (up: string) => sent.destroy(Object.assign(new Error(up), { code: "ETIMEDOUT" }));
    sent.on("timeout", () => give(`nothing was sent or received for ${limits.idleMs} ms`));
    const deadline = setTimeout(() => give(`it took longer than ${limits.attemptMs} ms`), limits.attemptMs);
    sent.once("close", () => clearTimeout(deadline));
    return sent;
  }
  return { request: send as S3Transport["request"] };
}
