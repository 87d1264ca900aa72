import { useState } from "react";
import {
  AdministrationService,
  OperationKind,
} from "../../../gen/learning_credentials/v1/administration_service_pb.js";
import { CountConfirmation, isCountConfirmed } from "../components/count-confirmation.js";
import { Dialog } from "../components/dialog.js";
import { DialogEnd } from "../components/dialog-end.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";

/** Asks before the findings of a diagnosis are repaired: these, and no others. */
export function RepairDialog({
  diagnosisId,
  planHash,
  count,
  onClose,
}: {
  readonly diagnosisId: number;
  readonly planHash: string;
  readonly count: number;
  readonly onClose: () => void;
}) {
  const { examination: words } = useChapter("administration");
  const { number } = useFormats();
  const [typed, setTyped] = useState("");
  const repair = useChange(AdministrationService.method.startOperation, onClose);
  const label = words.repair.replace("{number}", number(count));
  return (
    <Dialog title={label} isAlert onClose={onClose}>
      <p>{words.repairMeans}</p>
      <CountConfirmation count={count} typed={typed} onType={setTyped} />
      <DialogEnd
        change={repair}
        request={{ kind: OperationKind.REPAIR, diagnosisId, planHash }}
        isReady={isCountConfirmed(count, typed)}
        label={label.replace(/\s*…$/, "")}
        look="danger"
        commands={[["doctor", "--repair"]]}
        onClose={onClose}
      />
    </Dialog>
  );
}
