import type { Timestamp } from "@bufbuild/protobuf/wkt";
import {
  type GetLearnerResponse,
  LearnerRecordService,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { filledIn } from "../components/isolated.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { useMayCorrect } from "./use-may-correct.js";

/**
 * Shows the corrections of a learner. Asks for a decision if the source that owns the record has since reported another
 * value.
 */
export function Corrections({ found }: { readonly found: GetLearnerResponse }) {
  const { username, learner, nameCorrection, emailCorrection } = found;
  const words = useChapter("names");
  const name = useChange(LearnerRecordService.method.correctLearnerName);
  const email = useChange(LearnerRecordService.method.correctLearnerEmail);
  if (!learner) return null;
  return (
    <>
      {nameCorrection && (
        <Correction
          of={nameCorrection}
          recorded={nameCorrection.recordedName}
          recordedText={filledIn(words.recordSays, { name: nameCorrection.recordedName })}
          corrected={learner.fullName}
          change={name}
          onDecide={(fullName) => {
            const { recordedName, reason } = nameCorrection;
            name.mutate({ username, fullName, reason, recordedName });
          }}
        />
      )}
      {emailCorrection && (
        <Correction
          of={emailCorrection}
          recorded={emailCorrection.recordedEmail}
          recordedText={
            emailCorrection.recordedEmail
              ? filledIn(words.recordSays, { name: emailCorrection.recordedEmail })
              : words.noRecordedEmail
          }
          corrected={learner.email ?? ""}
          change={email}
          onDecide={(address) => {
            const { recordedEmail, reason } = emailCorrection;
            email.mutate({ username, email: address, reason, recordedEmail });
          }}
        />
      )}
    </>
  );
}

function Correction({
  of: { reason, correctedBy, correctTime, isUndecided },
  recorded,
  recordedText,
  corrected,
  change,
  onDecide,
}: {
  readonly of: {
    readonly reason: string;
    readonly correctedBy: string;
    readonly correctTime?: Timestamp | undefined;
    readonly isUndecided: boolean;
  };
  /** The value from the source that owns the record; may be empty. */
  readonly recorded: string;
  readonly recordedText: string;
  readonly corrected: string;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  /** Saves the text as the corrected one. An empty text withdraws the correction. */
  readonly onDecide: (text: string) => void;
}) {
  const words = useChapter("names");
  const { day } = useFormats();
  const why = useMayCorrect();
  const isChanged = isUndecided && recorded !== "";
  return (
    <div className={isUndecided ? "notice notice-warn" : "notice"}>
      {isChanged ? (
        <p className="notice-heading">{filledIn(words.undecided, { reported: recorded, name: corrected })}</p>
      ) : (
        <p>{recordedText}</p>
      )}
      <p className="small">
        {filledIn(words.correctedBy, { by: correctedBy, date: correctTime ? day(correctTime) : "", reason })}
      </p>
      <div className="actions">
        {isUndecided && (
          <Button why={why} isDisabled={change.isPending} onPress={() => onDecide(corrected)}>
            {filledIn(words.keep, { name: corrected })}
          </Button>
        )}
        <Button why={why} isDisabled={change.isPending} onPress={() => onDecide("")}>
          {isChanged ? filledIn(words.take, { reported: recorded }) : words.withdraw}
        </Button>
      </div>
      {change.error && <Failure error={change.error} />}
    </div>
  );
}
