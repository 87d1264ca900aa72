import { create } from "@bufbuild/protobuf";
import {
  CredentialService,
  LearnerRecordFormat as Format,
  type GetLearnerRecordResponse,
  GetLearnerRecordRequestSchema as RequestSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { HttpRoute } from "../http/routes.js";
import { sayWhyNot, sendSigned } from "./download.js";
import { type PageDeps, pageRoute } from "./page-route.js";

/**
 * `GET /my-credentials/record.json` and `.pdf`: the badges of a learner's own credentials in force, as one signed file,
 * and that in a PDF that lists them.
 */
export function learnerRecordRoute({ site, pipeline }: PageDeps): HttpRoute {
  return pageRoute(site, {
    path: /^\/my-credentials\/record\.(json|pdf)$/,
    title: "myCredentials",
    async answer(visit) {
      const {
        groups: [extension],
        response,
        inbound,
        spoken: { language },
      } = visit;
      const format = extension === "pdf" ? Format.PDF : Format.JSON;
      const request = create(RequestSchema, { format, language: language.tag });
      try {
        const call = await pipeline.admit(CredentialService.method.getLearnerRecord, inbound);
        const answer = (await call.unary({ request })) as GetLearnerRecordResponse;
        sendSigned(response, answer, `record.${extension}`);
      } catch (error) {
        sayWhyNot(error, visit, { ...language, walletNone: language.noRecord });
      }
    },
  });
}
