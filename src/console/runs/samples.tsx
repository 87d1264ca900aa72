import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { IssuancePlan } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { PdfView } from "../components/pdf-view.js";
import { useChapter } from "../i18n/chapter.js";

/** Documents as some of the learners would get them; the longest name is among them. */
export function Samples({
  configurationId,
  plan,
}: {
  readonly configurationId: number;
  readonly plan: IssuancePlan;
}) {
  const issuing = useChapter("issuing");
  const transport = useTransport();
  return (
    <section className="samples">
      <h2>{issuing.plan.samples}</h2>
      <ul>
        {plan.samples.map(({ username, fullName }) => (
          <li key={username}>
            <PdfView
              identity={`${configurationId} ${plan.planHash} ${username}`}
              label={issuing.plan.sampleFor.replace("{name}", fullName)}
              load={async () => {
                const { previewCredential } = ConfigurationService.method;
                const { pdf } = await callUnaryMethod(transport, previewCredential, {
                  source: { case: "configurationId", value: configurationId },
                  userFullName: fullName,
                });
                return pdf;
              }}
            />
            <p>
              <bdi>{fullName}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
