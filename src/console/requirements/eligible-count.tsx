import type { PreviewEligibilityResponse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { WarningSentence } from "../components/warning-sentence.js";
import { useChapter } from "../i18n/words.js";

/** Shows how many learners would be eligible now. Warns of requirements that nobody can meet. */
export function EligibleCount({
  of: { eligibleCount, enrolledCount, explainedWarnings },
}: {
  readonly of: PreviewEligibilityResponse;
}) {
  const words = useChapter("requirements");
  return (
    <>
      <p role="status">{words.now({ eligible: eligibleCount, enrolled: enrolledCount })}</p>
      {explainedWarnings.map((warning) => (
        <p key={warning.text} className="small notice notice-warn">
          <WarningSentence of={warning} />
        </p>
      ))}
    </>
  );
}
