import type { FindLogFile, LogFile } from "../../credentials/checkpoints/serve-log.js";
import { Problem } from "../../errors.js";
import type { Pipeline } from "../../pipeline/pipeline.js";
import type { Cors } from "../http/cors.js";
import { etagOf, namesEtag } from "../http/etag.js";
import type { Exchange, HttpRoute } from "../http/routes.js";

/** Dependencies for serving the log of events. */
export interface LogDeps {
  readonly pipeline: Pipeline;
  readonly cors: Cors;
  readonly findLogFile: FindLogFile;
}

/**
 * `GET /log/…`: the log of events, for everybody, as C2SP's tlog-tiles says. A later log is below `/log/<n>/`. A proxy
 * that serves us below a path strips that path, as everywhere.
 */
export function logRoutes({ pipeline, cors, findLogFile }: LogDeps): HttpRoute[] {
  return [
    {
      path: /^\/log\/(?:([1-9]\d{0,5})\/)?([\w./]{0,80})$/,
      cors,
      async answer({ groups: [id = "1", path = ""], query, inbound, ...exchange }) {
        const below = new URLSearchParams(query).get("below") ?? undefined;
        const file = await pipeline.visit({ name: "GET /log/", kind: "unary" }, inbound, () =>
          findLogFile(Number(id), path, below),
        );
        if (!file) throw new Problem("not-found", "Not found.");
        send(exchange, file);
      },
    },
  ];
}

/** What never changes may be kept for a year; a checkpoint for seconds. */
function send(
  { request, response, headers }: Pick<Exchange, "request" | "response" | "headers">,
  { body, contentType, isImmutable }: LogFile,
): void {
  if (response.destroyed) return;
  const etag = etagOf(body, undefined);
  const cacheControl = isImmutable ? "public, max-age=31536000, immutable" : "public, max-age=5";
  const head = ["Cache-Control", cacheControl, "ETag", etag, ...headers];
  const held = request.headers["if-none-match"];
  if (held !== undefined && namesEtag(held, etag)) {
    response.writeHead(304, head).end();
    return;
  }
  response
    .writeHead(200, [...head, "Content-Type", contentType, "Content-Length", String(body.length)])
    .end(body);
}
