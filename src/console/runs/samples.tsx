import type { IssuancePlan } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { DesignPreview } from "../components/design-preview.js";
import { useChapter } from "../i18n/words.js";

/** Shows the documents of some of the learners. The longest name is among them. */
export function Samples({
  configurationId,
  plan,
}: {
  readonly configurationId: number;
  readonly plan: IssuancePlan;
}) {
  const issuing = useChapter("issuing");
  return (
    <section className="samples">
      <h2>{issuing.plan.samples}</h2>
      <ul>
        {plan.samples.map(({ username, fullName }) => (
          <li key={username}>
            <DesignPreview
              key={plan.planHash}
              label={issuing.plan.sampleFor({ name: fullName })}
              request={{
                source: { case: "configurationId", value: configurationId },
                userFullName: fullName,
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
