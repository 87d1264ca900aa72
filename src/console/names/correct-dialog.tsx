import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { useState } from "react";
import { MAX_EMAIL, MAX_NAME, MAX_REASON } from "#foundation/limits.js";
import {
  type GetLearnerResponse,
  LearnerRecordService,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { TextField } from "../components/fields.js";
import { filledIn } from "../components/isolated.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useWords } from "../i18n/words.js";
import { RecordOwner } from "./record-owner.js";

interface OfLearner {
  readonly found: GetLearnerResponse;
  readonly onClose: () => void;
}

/** Corrects the name that credentials print. The correction overrides the name from the source that owns the record. */
export function CorrectNameDialog({ found, onClose }: OfLearner) {
  const words = useChapter("names");
  const { username, learner, nameCorrection, owner } = found;
  const current = learner?.fullName ?? "";
  const recorded = nameCorrection?.recordedName ?? current;
  return (
    <CorrectDialog
      title={words.correct}
      method={LearnerRecordService.method.correctLearnerName}
      request={(fullName, reason) => ({ username, fullName, reason, recordedName: recorded })}
      owner={owner}
      recorded={filledIn(words.recordSays, { name: recorded })}
      field={{
        field: "full_name",
        label: words.printed,
        help: words.printedMeans,
        maxLength: MAX_NAME,
        dir: "auto",
      }}
      current={current}
      reason={nameCorrection?.reason ?? ""}
      note={words.stays}
      onClose={onClose}
    />
  );
}

/**
 * Corrects the address that emails are sent to. The correction overrides the address from the source that owns the
 * record.
 */
export function CorrectEmailDialog({ found, onClose }: OfLearner) {
  const words = useChapter("names");
  const { learners } = useWords();
  const { username, learner, emailCorrection, owner } = found;
  const current = learner?.email ?? "";
  const recorded = emailCorrection?.recordedEmail ?? current;
  return (
    <CorrectDialog
      title={words.correctEmail}
      method={LearnerRecordService.method.correctLearnerEmail}
      request={(email, reason) => ({ username, email, reason, recordedEmail: recorded })}
      owner={owner}
      recorded={recorded ? filledIn(words.recordSays, { name: recorded }) : words.noRecordedEmail}
      field={{
        field: "email",
        label: learners.email,
        help: words.emailMeans,
        maxLength: MAX_EMAIL,
        inputMode: "email",
        dir: "ltr",
      }}
      current={current}
      reason={emailCorrection?.reason ?? ""}
      note={words.emailStays}
      onClose={onClose}
    />
  );
}

interface CorrectedField {
  readonly field: string;
  readonly label: string;
  readonly help: string;
  readonly maxLength: number;
  readonly inputMode?: "email";
  readonly dir: "auto" | "ltr";
}

function CorrectDialog<I extends DescMessage, O extends DescMessage>({
  title,
  method,
  request: requestOf,
  owner,
  recorded,
  field,
  current,
  reason: reasonBefore,
  note,
  onClose,
}: {
  readonly title: string;
  readonly method: DescMethodUnary<I, O>;
  readonly request: (corrected: string, reason: string) => MessageInitShape<I>;
  readonly owner: string;
  /** The value from the source that owns the record. */
  readonly recorded: string;
  readonly field: CorrectedField;
  readonly current: string;
  readonly reason: string;
  readonly note: string;
  readonly onClose: () => void;
}) {
  const words = useChapter("names");
  const { credentials } = useWords();
  const [value, setValue] = useState(current);
  const [reason, setReason] = useState(reasonBefore);
  const correct = useChange(method, onClose);
  const corrected = value.trim();
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm
        change={correct}
        request={requestOf(corrected, reason.trim())}
        isReady={corrected !== current}
        label={words.save}
        onClose={onClose}
      >
        <p>
          {recorded} <RecordOwner owner={owner} />
        </p>
        <TextField {...field} value={value} spellCheck={false} required autoFocus onType={setValue} />
        <TextField
          label={credentials.reason}
          field="reason"
          help={words.reasonMeans}
          value={reason}
          maxLength={MAX_REASON}
          required
          onType={setReason}
        />
        <p className="small faint">{note}</p>
      </DialogForm>
    </Dialog>
  );
}
