import { useState } from "react";
import {
  type GetLearnerResponse,
  LearnerRecordService,
} from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { Dialog } from "../components/dialog.js";
import { DialogForm } from "../components/dialog-end.js";
import { TextField } from "../components/fields.js";
import { filledIn } from "../components/isolated.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";

/** As many characters as the service takes. */
const MAX_LENGTH = 255;

/** Sets the name that credentials print, beside what the owner of the record tells. */
export function CorrectNameDialog({
  found: { username, learner, nameCorrection },
  onClose,
}: {
  readonly found: GetLearnerResponse;
  readonly onClose: () => void;
}) {
  const words = useChapter("names");
  const { credentials } = useWords();
  const printed = learner?.fullName ?? "";
  const toldName = nameCorrection?.toldName ?? printed;
  const [fullName, setFullName] = useState(printed);
  const [reason, setReason] = useState(nameCorrection?.reason ?? "");
  const correct = useChange(LearnerRecordService.method.correctLearnerName, onClose);
  const request = { username, fullName: fullName.trim(), reason: reason.trim(), toldName };
  const isReady = request.fullName !== "" && request.reason !== "" && request.fullName !== printed;
  return (
    <Dialog title={words.correct} onClose={onClose}>
      <DialogForm change={correct} request={request} isReady={isReady} label={words.save} onClose={onClose}>
        <p>{filledIn(words.told, { name: toldName })}</p>
        <TextField
          label={words.printed}
          help={words.printedMeans}
          value={fullName}
          maxLength={MAX_LENGTH}
          dir="auto"
          spellCheck={false}
          autoFocus
          onType={setFullName}
        />
        <TextField
          label={credentials.reason}
          help={words.reasonMeans}
          value={reason}
          maxLength={MAX_LENGTH}
          required
          onType={setReason}
        />
        <p className="small faint">{words.stays}</p>
      </DialogForm>
    </Dialog>
  );
}
