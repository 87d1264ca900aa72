import { Link } from "@tanstack/react-router";
import type { SearchLearnersResponse } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { useChapter } from "../i18n/chapter.js";

/** The names that are up for decision, each with its learner's page. It is loaded only where there are some. */
export function UndecidedNames({ found }: { readonly found: SearchLearnersResponse }) {
  const words = useChapter("names");
  return (
    <div className="notice notice-warn">
      <p className="notice-heading">
        {words.toDecide(found.learners.length)}
        {found.nextPageToken && " …"}
      </p>
      <ul>
        {found.learners.map(({ learner, nameCorrection }) => (
          <li key={learner?.username}>
            <Link to="/learners/$username" params={{ username: learner?.username ?? "" }}>
              <bdi>{learner?.fullName}</bdi>
            </Link>{" "}
            <span className="faint">
              (<bdi>{nameCorrection?.toldName}</bdi>)
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
