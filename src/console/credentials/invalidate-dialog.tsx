import { useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Credential } from "../../../gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";
import { ReasonField } from "./reason-field.js";

/** Withdraws a credential. It can't be taken back, and the dialog says so. */
export function InvalidateDialog({
  credential,
  onClose,
}: {
  readonly credential: Credential;
  readonly onClose: () => void;
}) {
  const { credentials: words, parts } = useWords();
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const { uuid } = credential;
  const { mutate, error, isPending } = useMutation(CredentialService.method.invalidateCredential, {
    onSuccess: async () => {
      await client.invalidateQueries();
      onClose();
    },
  });
  return (
    <Dialog title={words.invalidateOne} isAlert onClose={onClose}>
      <p className="lead">
        <bdi>{credential.userFullName}</bdi> · <bdi>{credential.learningContextName}</bdi>
      </p>
      <p>{words.invalidateMeans}</p>
      <ReasonField reason={reason} onChange={setReason} />
      {error && <Failure error={error} />}
      <AsCode method={CredentialService.method.invalidateCredential} request={{ uuid, reason }} />
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          look="danger"
          isDisabled={reason.trim() === "" || isPending}
          onPress={() => mutate({ uuid, reason: reason.trim() })}
        >
          {words.invalidateCount(1)}
        </Button>
      </div>
    </Dialog>
  );
}
