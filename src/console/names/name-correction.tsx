import {
  type GetLearnerResponse,
  LearnerRecordService,
} from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { filledIn } from "../components/isolated.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";
import { useMayCorrect } from "./use-may-correct.js";

/** Says that a name was corrected, by whom and why, and has a registrar decide where the owner tells another one. */
export function NameCorrection({
  found: { username, learner, nameCorrection },
}: {
  readonly found: GetLearnerResponse;
}) {
  const words = useChapter("names");
  const { day } = useFormats();
  const why = useMayCorrect();
  const correct = useChange(LearnerRecordService.method.correctLearnerName);
  if (!learner || !nameCorrection) return null;
  const { toldName, reason, correctedBy, correctTime, isUndecided } = nameCorrection;
  const name = learner.fullName;
  const decide = (fullName: string) => correct.mutate({ username, fullName, reason, toldName });
  return (
    <div className={isUndecided ? "notice notice-warn" : "notice"}>
      {isUndecided && <p className="notice-heading">{filledIn(words.undecided, { told: toldName, name })}</p>}
      {!isUndecided && <p>{filledIn(words.told, { name: toldName })}</p>}
      <p className="small">
        {filledIn(words.correctedBy, { by: correctedBy, date: correctTime ? day(correctTime) : "", reason })}
      </p>
      <div className="actions">
        {isUndecided && (
          <Button why={why} isDisabled={correct.isPending} onPress={() => decide(name)}>
            {filledIn(words.keep, { name })}
          </Button>
        )}
        <Button why={why} isDisabled={correct.isPending} onPress={() => decide("")}>
          {isUndecided ? filledIn(words.take, { told: toldName }) : words.withdraw}
        </Button>
      </div>
      {correct.error && <Failure error={correct.error} />}
    </div>
  );
}
