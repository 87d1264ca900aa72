import { useQuery } from "@connectrpc/connect-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import { MAX_NAME } from "#foundation/limits.js";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService, EmailKind } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { DesignPreview } from "../components/design-preview.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { TextField } from "../components/fields.js";
import { PdfView } from "../components/pdf-view.js";
import { shownStatusOf } from "../components/status.js";
import { useChange } from "../components/use-change.js";
import { usePaused } from "../components/use-paused.js";
import { readDocument } from "../documents/read-document.js";
import { EmailChoice } from "../emails/email-choice.js";
import { useChapter, useWords } from "../i18n/words.js";
import { useMayCorrect } from "../names/use-may-correct.js";
import type { CredentialDialogProps } from "./invalidate-dialog.js";
import { ReasonField } from "./reason-field.js";

/** Replaces a credential with a new one that has the current data. Shows the new document beside the old one. */
export function ReissueDialog({
  credential,
  isCorrection = false,
  onClose,
}: CredentialDialogProps & {
  /** Whether the dialog was opened to correct the name. */
  readonly isCorrection?: boolean;
}) {
  const { credentials: words } = useWords();
  const emails = useChapter("emails");
  const nameWords = useChapter("names");
  const whyNotCorrect = useMayCorrect();
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const [isSent, setIsSent] = useState(true);
  const { uuid, username } = credential;
  const learner = useQuery(LearnerRecordService.method.getLearner, { username });
  const reissue = useChange(CredentialService.method.reissueCredential, (successor) => {
    onClose();
    return navigate({ to: "/credentials/$uuid", params: { uuid: successor.uuid } });
  });
  const recorded = learner.data?.learner?.fullName;
  const [typed, setTyped] = useState<string>();
  const newName = typed?.trim() || recorded;
  const corrected = newName === recorded ? "" : newName;
  const userFullName = usePaused(corrected);

  return (
    <Dialog title={words.reissueOne} isWide isAlert onClose={onClose}>
      <p className="lead">
        <bdi>{credential.userFullName}</bdi> · <bdi>{credential.learningContextName}</bdi>
      </p>
      <p>{words.reissueMeans}</p>
      {recorded !== undefined && (
        <TextField
          label={nameWords.onReissue}
          field="corrected_full_name"
          help={whyNotCorrect ?? nameWords.onReissueMeans}
          value={typed ?? recorded}
          maxLength={MAX_NAME}
          dir="auto"
          spellCheck={false}
          autoFocus={isCorrection}
          readOnly={whyNotCorrect !== undefined}
          onType={setTyped}
        />
      )}
      {newName !== undefined && <NameChange before={credential.userFullName} after={newName} />}
      <BeforeAfter credential={credential} userFullName={userFullName} isKept={reissue.isPending} />
      <ReasonField reason={reason} onChange={setReason} />
      <EmailChoice
        help={emails.reissueEmail({ count: 1 })}
        isSent={isSent}
        onChoose={setIsSent}
        preview={{ kind: EmailKind.AVAILABLE, credentialUuid: uuid }}
      />
      <DialogEnd
        change={reissue}
        request={{
          uuid,
          reason: reason.trim(),
          skipEmail: !isSent,
          ...(corrected && { correctedFullName: corrected }),
        }}
        label={words.reissue}
        onClose={onClose}
      />
    </Dialog>
  );
}

function NameChange({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return null;
  return (
    <p className="lead">
      <del>
        <bdi>{before}</bdi>
      </del>{" "}
      <ins>
        <bdi>{after}</bdi>
      </ins>
    </p>
  );
}

function BeforeAfter({
  credential,
  userFullName,
  isKept,
}: {
  readonly credential: Credential;
  /** The corrected name; empty to print the recorded one. */
  readonly userFullName: string | undefined;
  /** Whether to keep the preview while the credential is being reissued. */
  readonly isKept: boolean;
}) {
  const { credentials: words } = useWords();
  const { uuid } = credential;
  return (
    <div className="before-after">
      <div className="version">
        <h3>{words.before}</h3>
        {credential.status === CredentialStatus.AVAILABLE ? (
          <PdfView identity={uuid} label={words.before} load={() => readDocument(uuid)} />
        ) : (
          <p className="pdf-none">{textFor(words.noDocument, shownStatusOf(credential))}</p>
        )}
      </div>
      <div className="version">
        <h3>{words.after}</h3>
        <DesignPreview
          label={words.after}
          request={{ source: { case: "credentialUuid", value: uuid }, userFullName }}
          isKept={isKept}
        />
      </div>
    </div>
  );
}
