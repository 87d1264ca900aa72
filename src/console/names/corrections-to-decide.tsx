import { useQuery } from "@connectrpc/connect-query";
import {
  EmailCorrectionFilter,
  LearnerRecordService,
  NameCorrectionFilter,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { lazily } from "../components/lazily.js";

const UndecidedNames = lazily(() => import("./undecided.js"), "UndecidedNames");
const UndecidedEmails = lazily(() => import("./undecided.js"), "UndecidedEmails");

const MAX_CORRECTIONS = 20;

/** Lists corrections that need a decision, because the source that owns the record has since reported another value. */
export function CorrectionsToDecide() {
  const { data: names } = useQuery(LearnerRecordService.method.searchLearners, {
    nameCorrection: NameCorrectionFilter.UNDECIDED,
    pageSize: MAX_CORRECTIONS,
  });
  const { data: emails } = useQuery(LearnerRecordService.method.searchLearners, {
    emailCorrection: EmailCorrectionFilter.UNDECIDED,
    pageSize: MAX_CORRECTIONS,
  });
  return (
    <>
      {names && names.learners.length > 0 && <UndecidedNames found={names} />}
      {emails && emails.learners.length > 0 && <UndecidedEmails found={emails} />}
    </>
  );
}
