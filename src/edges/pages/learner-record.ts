import { create } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import {
  CredentialService,
  LearnerRecordFormat as Format,
  type GetLearnerRecordResponse,
  GetLearnerRecordRequestSchema as RequestSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { httpStatusOf } from "../http/http-status.js";
import type { HttpRoute } from "../http/routes.js";
import { sentenceOf } from "./download.js";
import { type PageDeps, pageRoute } from "./page-route.js";
import { whyNoBadge } from "./why-no-badge.js";

/**
 * `GET /my-credentials/record.json` and `.pdf`: the badges of a learner's own credentials in force, as one signed file,
 * and that in a PDF that lists them.
 */
export function learnerRecordRoute({ site, pipeline }: PageDeps): HttpRoute {
  return pageRoute(site, {
    path: /^\/my-credentials\/record\.(json|pdf)$/,
    title: "myCredentials",
    async answer({ groups: [extension], response, inbound, say, spoken: { language } }) {
      const format = extension === "pdf" ? Format.PDF : Format.JSON;
      const request = create(RequestSchema, { format, language: language.tag });
      try {
        const call = await pipeline.admit(CredentialService.method.getLearnerRecord, inbound);
        const answer = (await call.unary({ request })) as GetLearnerRecordResponse;
        if (response.destroyed) return;
        response.writeHead(200, {
          "content-type": answer.mediaType,
          "content-length": answer.content.length,
          "content-disposition": `attachment; filename="record.${extension}"`,
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
