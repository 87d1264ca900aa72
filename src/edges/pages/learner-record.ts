import { create } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import {
  CredentialService,
  type GetLearnerRecordResponse,
  GetLearnerRecordRequestSchema as RequestSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { httpStatusOf } from "../http/http-status.js";
import type { HttpRoute } from "../http/routes.js";
import { sentenceOf } from "./download.js";
import { type PageDeps, pageRoute } from "./page-route.js";
import { whyNoBadge } from "./why-no-badge.js";

/** `GET /my-credentials/record.json`: the badges of a learner's own credentials in force, as one signed file. */
export function learnerRecordRoute({ site, pipeline }: PageDeps): HttpRoute {
  return pageRoute(site, {
    path: /^\/my-credentials\/record\.json$/,
    title: "myCredentials",
    async answer({ response, inbound, say, spoken: { language } }) {
      try {
        const call = await pipeline.admit(CredentialService.method.getLearnerRecord, inbound);
        const answer = (await call.unary({ request: create(RequestSchema) })) as GetLearnerRecordResponse;
        if (response.destroyed) return;
        response.writeHead(200, {
          "content-type": answer.mediaType,
          "content-length": answer.content.length,
          "content-disposition": 'attachment; filename="record.json"',
          "cache-control": "no-store",
          vary: "Authorization, Cookie",
        });
        response.end(answer.content);
      } catch (error) {
        const failure = ConnectError.from(error);
        const sentence = whyNoBadge(failure, { ...language, walletNone: language.noRecord });
        const said = sentence ?? sentenceOf(failure.code, language);
        if (said === undefined) throw error;
        say(httpStatusOf(failure), said);
      }
    },
  });
}
