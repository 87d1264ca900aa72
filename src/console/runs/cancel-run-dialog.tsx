import { useState } from "react";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { IssuanceRun } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { CountConfirmation } from "../components/count-confirmation.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";

/** Cancels a run. Credentials that are being generated then fail. */
export function CancelRunDialog({
  run,
  onClose,
}: {
  readonly run: IssuanceRun;
  readonly onClose: () => void;
}) {
  const { run: words } = useChapter("issuing");
  // The number is frozen, because the user types it.
  const [count] = useState(run.generatingCount);
  const [typed, setTyped] = useState("");
  const cancel = useChange(CredentialService.method.cancelIssuanceRun, onClose);
  return (
    <Dialog title={words.cancelHeading} isAlert onClose={onClose}>
      <p>{words.cancelMeans({ count })}</p>
      <CountConfirmation count={count} typed={typed} onType={setTyped} />
      <DialogEnd
        change={cancel}
        request={{ id: run.id }}
        label={words.cancel}
        cancelLabel={words.keepRunning}
        variant="danger"
        commands={[["run", "cancel", run.id]]}
        onClose={onClose}
      />
    </Dialog>
  );
}
