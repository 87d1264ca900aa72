import { useMutation } from "@connectrpc/connect-query";
import { useState } from "react";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { IssuanceRun } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { CountConfirmation, isCountConfirmed } from "../parts/count-confirmation.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";

/** Asks whether to cancel: credentials that are still being generated fail. */
export function CancelRunDialog({
  run,
  onClose,
}: {
  readonly run: IssuanceRun;
  readonly onClose: () => void;
}) {
  const { issuing } = useWords();
  // The number may not move while it is typed.
  const [count] = useState(run.generatingCount);
  const [typed, setTyped] = useState("");
  const cancel = useMutation(CredentialService.method.cancelIssuanceRun, { onSuccess: onClose });
  return (
    <Dialog title={issuing.run.cancelHeading} isAlert onClose={onClose}>
      <p>{issuing.run.cancelMeans(count)}</p>
      <CountConfirmation count={count} typed={typed} onType={setTyped} />
      {cancel.error && <Failure error={cancel.error} />}
      <div className="actions">
        <Button
          look="danger"
          isDisabled={cancel.isPending || !isCountConfirmed(count, typed)}
          onPress={() => cancel.mutate({ id: run.id })}
        >
          {issuing.run.cancel}
        </Button>
        <Button onPress={onClose}>{issuing.run.keepRunning}</Button>
      </div>
      <AsCode
        method={CredentialService.method.cancelIssuanceRun}
        request={{ id: run.id }}
        commands={[["run", "cancel", run.id]]}
      />
    </Dialog>
  );
}
