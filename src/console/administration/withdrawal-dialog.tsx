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

/** Asks before a sync withdraws more enrolments than a connector may by itself. */
export function WithdrawalDialog({
  connector,
  count,
  onClose,
}: {
  readonly connector: string;
  readonly count: number;
  readonly onClose: () => void;
}) {
  const { connections: words } = useChapter("administration");
  const { number } = useFormats();
  const [typed, setTyped] = useState("");
  const sync = useChange(AdministrationService.method.startOperation, onClose);
  const label = words.held.replace("{number}", number(count));
  return (
    <Dialog title={label} isAlert onClose={onClose}>
      <p>{words.heldMeans}</p>
      <CountConfirmation count={count} typed={typed} onType={setTyped} />
      <DialogEnd
        change={sync}
        request={{ kind: OperationKind.SYNC, connector, acceptsWithdrawals: true }}
        isReady={isCountConfirmed(count, typed)}
        label={label.replace(/\s*…$/, "")}
        look="danger"
        commands={[["connector", "sync", connector, "--accept-withdrawals"]]}
        onClose={onClose}
      />
    </Dialog>
  );
}
