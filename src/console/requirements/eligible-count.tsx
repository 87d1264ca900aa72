import type { PreviewEligibilityResponse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { useChapter } from "../i18n/words.js";

/** Shows how many learners would be eligible now. Warns of requirements that nobody can meet. */
export function EligibleCount({
  of: { eligibleCount, enrolledCount, warnings },
}: {
  readonly of: PreviewEligibilityResponse;
}) {
  const words = useChapter("requirements");
  return (
    <>
      <p role="status">{words.now({ eligible: eligibleCount, enrolled: enrolledCount })}</p>
      {warnings.map((each) => (
        <p key={each} className="small notice notice-warn" lang="en" dir="ltr">
          {each}
        </p>
      ))}
    </>
  );
}
