import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import {
  LearnerRecordService,
  NameCorrectionFilter,
} from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { useChapter } from "../i18n/chapter.js";

const SHOWN = 20;

/** Corrected names of which the owner of the record tells another one since. Nothing, if there is none. */
export function NamesToDecide() {
  const words = useChapter("names");
  const { data } = useQuery(LearnerRecordService.method.searchLearners, {
    nameCorrection: NameCorrectionFilter.UNDECIDED,
    pageSize: SHOWN,
  });
  if (!data || data.learners.length === 0) return null;
  return (
    <div className="notice notice-warn">
      <p className="notice-heading">
        {words.toDecide(data.learners.length)}
        {data.nextPageToken && " …"}
      </p>
      <ul>
        {data.learners.map(({ learner, nameCorrection }) => (
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
