import type { Pipeline } from "#api/pipeline/pipeline.js";
import { WITNESS_PATH } from "#domain/credentials/checkpoints/log-urls.js";
import type { AddCheckpoint } from "#domain/credentials/checkpoints/witness-logs.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { readSmallBody } from "../http/small-body.js";

/** `POST /witness/add-checkpoint` cosigns checkpoints of other services' logs, if the settings list these logs. */
export function witnessRoute(pipeline: Pipeline, addCheckpoint: AddCheckpoint): HttpRoute {
  return {
    path: WITNESS_PATH,
    methods: ["POST"],
    async answer({ request, response, headers, inbound }) {
      const { status, body } = await pipeline.visit(
        { name: "POST /witness/add-checkpoint", kind: "unary" },
        inbound,
        async ({ cancellation }) => addCheckpoint(await readSmallBody(request), cancellation.signal),
      );
      const contentType = status === 409 ? "text/x.tlog.size" : "text/plain; charset=utf-8";
      sendAnswer(response, { status, contentType, headers: ["Cache-Control", "no-store", ...headers], body });
    },
  };
}
