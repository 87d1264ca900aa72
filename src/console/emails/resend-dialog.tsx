import { Code, ConnectError } from "@connectrpc/connect";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import {
  CredentialService,
  EmailKind,
  EmailState,
  type QueuedEmail,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Button } from "../components/button.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { DoneDialog } from "../components/done-dialog.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { useMayCorrect } from "../names/use-may-correct.js";
import { EmailStatus } from "./email-states.js";
import { EmailRefusal } from "./refusal.js";

const CorrectEmailDialog = lazily(() => import("../names/correct-dialog.js"), "CorrectEmailDialog");

/** Resends an email. Shows the address and the email's current state first. */
export function ResendDialog({
  uuid,
  username,
  onClose,
}: {
  readonly uuid: string;
  readonly username: string;
  readonly onClose: () => void;
}) {
  const { credentials } = useWords();
  const words = useChapter("emails");
  const found = useQuery(CredentialService.method.listEmails, { credentialUuid: uuid });
  const learner = useQuery(LearnerRecordService.method.getLearner, { username });
  const resend = useChange(CredentialService.method.resendEmail);
  const email = found.data?.emails.find(({ kind }) => kind === EmailKind.AVAILABLE);
  const isUnknown = learner.error !== null && ConnectError.from(learner.error).code === Code.NotFound;
  const address = learner.data?.learner?.email;
  const nameWords = useChapter("names");
  const whyNotCorrect = useMayCorrect();
  const [isCorrecting, setIsCorrecting] = useState(false);

  if (isCorrecting && learner.data)
    return <CorrectEmailDialog found={learner.data} onClose={() => setIsCorrecting(false)} />;

  if (resend.isSuccess) {
    return <DoneDialog title={words.resendTitle} outcome={credentials.emailQueued} onClose={onClose} />;
  }
  return (
    <Dialog title={words.resendTitle} onClose={onClose}>
      <p>{words.resendMeans}</p>
      {learner.data && address && (
        <p className="lead">
          {words.to} <bdi>{address}</bdi>
        </p>
      )}
      {learner.data && !address && (
        <p className="notice notice-warn">{learner.data.learner ? words.noAddress : words.noRecord}</p>
      )}
      {learner.data?.learner && (
        <div className="actions">
          <Button why={whyNotCorrect} onPress={() => setIsCorrecting(true)}>
            {nameWords.correctEmail}
          </Button>
        </div>
      )}
      {isUnknown && <p className="notice notice-warn">{words.noRecord}</p>}
      {found.data && <SoFar email={email} />}
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {learner.error && !isUnknown && (
        <Failure error={learner.error} onRetry={() => void learner.refetch()} />
      )}
      <DialogEnd
        change={resend}
        request={{ uuid }}
        isReady={Boolean(address)}
        why={email?.state === EmailState.WAITING ? words.isWaiting : undefined}
        label={words.sendAgain}
        onClose={onClose}
      />
    </Dialog>
  );
}

function SoFar({ email }: { readonly email: QueuedEmail | undefined }) {
  const words = useChapter("emails");
  const { colon, moment } = useFormats();
  if (!email) return <p className="small faint">{words.neverSent}</p>;
  return (
    <p>
      {words.soFar}
      {colon}
      <EmailStatus of={email.state} /> {email.changeTime && <time>{moment(email.changeTime)}</time>}
      <EmailRefusal of={email.refusal} />
      {email.resendCount > 0 && <span className="second">{words.resent({ count: email.resendCount })}</span>}
    </p>
  );
}
