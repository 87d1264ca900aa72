import {
  CredentialService,
  LearnerRecordFormat as Format,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { HttpRoute } from "../http/routes.js";
import { answerBy, sendSigned } from "./download.js";
import { type PageDeps, pageRoute } from "./page-route.js";

/**
 * `GET /my-credentials/record.json` returns one signed file with the badges of a learner's valid credentials.
 * `record.pdf` lists the badges and contains that file.
 */
export function learnerRecordRoute({ site, pipeline }: PageDeps): HttpRoute {
  return pageRoute(site, {
    path: /^\/my-credentials\/record\.(json|pdf)$/,
    title: "myCredentials",
    answer(visit) {
      const [extension] = visit.groups;
      const { language } = visit.negotiated;
      const requested = { format: extension === "pdf" ? Format.PDF : Format.JSON, language: language.tag };
      return answerBy(
        pipeline,
        CredentialService.method.getLearnerRecord,
        visit,
        requested,
        (record) => sendSigned(visit.response, record, `record.${extension}`),
        { ...language, walletNone: language.noRecord },
      );
    },
  });
}
