import { Link } from "@tanstack/react-router";
import type { SearchLearnersResponse } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { useChapter } from "../i18n/words.js";

interface Found {
  readonly found: SearchLearnersResponse;
}

/** Lists the names that need a decision. The module is loaded only if there are any. */
export function UndecidedNames({ found }: Found) {
  const words = useChapter("names");
  return (
    <Undecided
      heading={words.toDecide({ count: found.learners.length })}
      found={found}
      corrected={({ learner }) => learner?.fullName}
      recorded={({ nameCorrection }) => nameCorrection?.recordedName}
    />
  );
}

export function UndecidedEmails({ found }: Found) {
  const words = useChapter("names");
  return (
    <Undecided
      heading={words.emailsToDecide({ count: found.learners.length })}
      found={found}
      corrected={({ learner }) => learner?.email}
      recorded={({ emailCorrection }) => emailCorrection?.recordedEmail}
    />
  );
}

type Learner = SearchLearnersResponse["learners"][number];

function Undecided({
  heading,
  found,
  corrected,
  recorded,
}: Found & {
  readonly heading: string;
  readonly corrected: (learner: Learner) => string | undefined;
  readonly recorded: (learner: Learner) => string | undefined;
}) {
  return (
    <div className="notice notice-warn">
      <p className="notice-heading">
        {heading}
        {found.nextPageToken && " …"}
      </p>
      <ul>
        {found.learners.map((each) => (
          <li key={each.learner?.username}>
            <Link to="/learners/$username" params={{ username: each.learner?.username ?? "" }}>
              <bdi>{corrected(each)}</bdi>
            </Link>{" "}
            {recorded(each) && (
              <span className="faint">
                (<bdi>{recorded(each)}</bdi>)
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
