import { useState } from "react";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService, EmailKind } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { useChange } from "../components/use-change.js";
import { usePaused } from "../components/use-paused.js";
import { EmailChoice } from "../emails/email-choice.js";
import { useChapter, useWords } from "../i18n/words.js";
import { ReasonField } from "./reason-field.js";
import { StackedList } from "./stacked-credentials.js";

export interface CredentialDialogProps {
  readonly credential: Credential;
  readonly onClose: () => void;
}

export function InvalidateDialog({ credential, onClose }: CredentialDialogProps) {
  const { credentials: words } = useWords();
  const emails = useChapter("emails");
  const trees = useChapter("trees");
  const [reason, setReason] = useState("");
  const [isSent, setIsSent] = useState(true);
  const pausedReason = usePaused(reason.trim());
  const invalidate = useChange(CredentialService.method.invalidateCredential, onClose);
  return (
    <Dialog title={words.invalidateOne} isAlert onClose={onClose}>
      <p className="lead">
        <bdi>{credential.userFullName}</bdi> · <bdi>{credential.learningContextName}</bdi>
      </p>
      <p>{words.invalidateMeans}</p>
      {credential.requiredBy.length > 0 && (
        <div className="notice notice-warn">
          <p>{trees.withdrawKeeps({ count: credential.requiredBy.length })}</p>
          <StackedList of={credential.requiredBy} />
        </div>
      )}
      <ReasonField reason={reason} onChange={setReason} />
      <EmailChoice
        help={emails.withdrawalEmail({ count: 1 })}
        isSent={isSent}
        onChoose={setIsSent}
        preview={{ kind: EmailKind.WITHDRAWAL, credentialUuid: credential.uuid, reason: pausedReason }}
      />
      <DialogEnd
        change={invalidate}
        request={{ uuid: credential.uuid, reason: reason.trim(), skipEmail: !isSent }}
        label={words.invalidateCount({ count: 1 })}
        variant="danger"
        onClose={onClose}
      />
    </Dialog>
  );
}
