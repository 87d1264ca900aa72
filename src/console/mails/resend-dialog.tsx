import { Code, ConnectError } from "@connectrpc/connect";
import { useMutation, useQuery } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import {
  CredentialService,
  MailKind,
  MailState,
  type QueuedMail,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import type { MailsWording } from "../languages/en/mails.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { DoneDialog } from "../parts/done-dialog.js";
import { Failure } from "../parts/failure.js";
import { useChapter } from "../reader/chapter.js";
import { useFormats, useWords } from "../reader/words.js";
import { MailStanding } from "./mail-states.js";

/** Sends the mail about a credential again. It shows to which address, and what became of it so far. */
export function ResendDialog(asked: {
  readonly uuid: string;
  readonly username: string;
  readonly onClose: () => void;
}) {
  const words = useChapter("mails");
  return words && <Asked {...asked} words={words} />;
}

function Asked({
  uuid,
  username,
  onClose,
  words,
}: {
  readonly uuid: string;
  readonly username: string;
  readonly onClose: () => void;
  readonly words: MailsWording;
}) {
  const { credentials, parts } = useWords();
  const client = useQueryClient();
  const method = CredentialService.method.resendMail;
  const found = useQuery(CredentialService.method.listMails, { credentialUuid: uuid });
  const learner = useQuery(LearnerRecordService.method.getLearner, { username });
  const resend = useMutation(method, { onSuccess: () => client.invalidateQueries() });
  const mail = found.data?.mails.find(({ kind }) => kind === MailKind.AVAILABLE);
  const isUnknown = learner.error !== null && ConnectError.from(learner.error).code === Code.NotFound;
  const address = learner.data?.learner?.email;

  if (resend.isSuccess) {
    return <DoneDialog title={words.resendTitle} outcome={credentials.mailQueued} onClose={onClose} />;
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
      {isUnknown && <p className="notice notice-warn">{words.noRecord}</p>}
      {found.data && <SoFar mail={mail} words={words} />}
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {learner.error && !isUnknown && (
        <Failure error={learner.error} onRetry={() => void learner.refetch()} />
      )}
      {resend.error && <Failure error={resend.error} />}
      <AsCode method={method} request={{ uuid }} />
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          look="primary"
          why={mail?.state === MailState.WAITING ? words.isWaiting : undefined}
          isDisabled={!address || resend.isPending}
          onPress={() => resend.mutate({ uuid })}
        >
          {words.sendAgain}
        </Button>
      </div>
    </Dialog>
  );
}

function SoFar({ mail, words }: { readonly mail: QueuedMail | undefined; readonly words: MailsWording }) {
  const { moment } = useFormats();
  if (!mail) return <p className="small faint">{words.neverSent}</p>;
  return (
    <p>
      {words.soFar}: <MailStanding of={mail.state} words={words} />{" "}
      {mail.changeTime && <time>{moment(mail.changeTime)}</time>}
      {mail.resendCount > 0 && <span className="second">{words.resent(mail.resendCount)}</span>}
    </p>
  );
}
