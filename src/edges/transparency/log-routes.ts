import type { Pipeline } from "#api/pipeline/pipeline.js";
import type { FindLogFile } from "#domain/credentials/checkpoints/serve-log.js";
import { Problem } from "#foundation/errors.js";
import type { Cors } from "../http/cors.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";

interface LogDeps {
  readonly pipeline: Pipeline;
  readonly cors: Cors;
  readonly findLogFile: FindLogFile;
}

/**
 * `GET /log/…` returns files of the public event log (tlog-tiles by C2SP). Later logs are below `/log/<n>/`. The routes
 * don't include the path of the public URL, because a proxy removes it.
 */
export function logRoutes({ pipeline, cors, findLogFile }: LogDeps): HttpRoute[] {
  return [
    {
      path: /^\/log\/(?:([1-9]\d{0,5})\/)?([\w./]{0,80})$/,
      cors,
      async answer({ groups: [id = "1", path = ""], query, response, headers, inbound }) {
        const below = new URLSearchParams(query).get("below") ?? undefined;
        const file = await pipeline.visit({ name: "GET /log/", kind: "unary" }, inbound, () =>
          findLogFile(Number(id), path, below),
        );
        if (!file) throw new Problem("not-found", "Not found.");
        const { body, contentType, isImmutable } = file;
        // Files that still change, such as checkpoints, may be cached for 5 seconds.
        const cacheControl = isImmutable ? "public, max-age=31536000, immutable" : "public, max-age=5";
        const all = ["Cache-Control", cacheControl, ...headers];
        sendAnswer(response, { contentType, headers: all, body, isConditional: true });
      },
    },
  ];
}
