import { useQuery } from "@connectrpc/connect-query";
import {
  LearnerRecordService,
  NameCorrectionFilter,
} from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { lazily } from "../components/lazily.js";

const UndecidedNames = lazily(() => import("./undecided-names.js"), "UndecidedNames");

const SHOWN = 20;

/** Corrected names of which the owner of the record tells another one since. Nothing, if there is none. */
export function NamesToDecide() {
  const { data } = useQuery(LearnerRecordService.method.searchLearners, {
    nameCorrection: NameCorrectionFilter.UNDECIDED,
    pageSize: SHOWN,
  });
  return data && data.learners.length > 0 ? <UndecidedNames found={data} /> : null;
}
