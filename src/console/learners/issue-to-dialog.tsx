import { useQuery } from "@connectrpc/connect-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CredentialService, EmailKind } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type ListedLearner, SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { Learner } from "#gen/learning_credentials/v1/record_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { Failure } from "../components/failure.js";
import { CheckField } from "../components/fields.js";
import { filledIn } from "../components/isolated.js";
import { useChange } from "../components/use-change.js";
import { EmailChoice } from "../emails/email-choice.js";
import { useChapter } from "../i18n/words.js";
import { issueCommand } from "../issue-from-list/issue-commands.js";
import { ConfigurationPicker } from "../offers/configuration-picker.js";
import { PlanWarnings } from "../runs/plan-view.js";
import { reasonInWords } from "../runs/skip-reasons.js";

const { method } = CredentialService;

/** Issues a credential to one learner. Checks first whether that is possible. */
export function IssueToDialog({
  learner: { username, fullName },
  configurationId: initialId,
  onClose,
}: {
  readonly learner: Pick<Learner, "username" | "fullName">;
  /** The configuration that is already selected, if any. */
  readonly configurationId: number | undefined;
  readonly onClose: () => void;
}) {
  const words = useChapter("names");
  const issuing = useChapter("issuing");
  const navigate = useNavigate();
  const [configurationId, setConfigurationId] = useState(initialId);
  const [skipEligibilityCheck, setSkipping] = useState(false);
  const [isSent, setIsSent] = useState(true);
  const judged = useQuery(
    method.startIssuanceRun,
    { configurationId: configurationId ?? 0, usernames: [username], skipEligibilityCheck, dryRun: true },
    { enabled: configurationId !== undefined, gcTime: 0 },
  );
  const issue = useChange(method.issueCredential, ({ uuid }) =>
    navigate({ to: "/credentials/$uuid", params: { uuid } }),
  );
  const [judgement] = judged.data?.plan?.listedLearners ?? [];
  // A person decides in this dialog, so a withdrawn credential may be issued again.
  const isReady = judgement?.isReady || judgement?.reason === SkipReason.WITHDRAWN;
  const isRefused = judgement?.reason === SkipReason.NOT_ELIGIBLE;
  const request = configurationId !== undefined && {
    configurationId,
    username,
    skipEligibilityCheck,
    skipEmail: !isSent,
  };
  return (
    <Dialog title={words.issueOne} onClose={onClose}>
      <p className="lead">
        <bdi>{fullName || username}</bdi>
      </p>
      <ConfigurationPicker
        chosen={configurationId}
        required
        onChoose={(id) => {
          setConfigurationId(id);
          setSkipping(false);
        }}
      />
      {judged.error && <Failure error={judged.error} onRetry={() => void judged.refetch()} />}
      {judgement && <JudgementNotice of={judgement} fullName={fullName} />}
      <PlanWarnings warnings={judged.data?.plan?.explainedWarnings ?? []} />
      {(isRefused || skipEligibilityCheck) && (
        <CheckField
          label={issuing.list.skipCheck}
          help={issuing.list.skipCheckMeans}
          checked={skipEligibilityCheck}
          onChoose={setSkipping}
        />
      )}
      {isReady && configurationId !== undefined && (
        <EmailChoice
          help={issuing.plan.emailMeans}
          isSent={isSent}
          onChoose={setIsSent}
          preview={{ kind: EmailKind.AVAILABLE, configurationId, username }}
        />
      )}
      <DialogEnd
        change={issue}
        request={request || undefined}
        isReady={configurationId === undefined || isReady}
        label={issuing.plan.issue({ count: 1 })}
        commands={request ? [issueCommand(request.configurationId, request.username, request)] : undefined}
        onClose={onClose}
      />
    </Dialog>
  );
}

function JudgementNotice({
  of: { isReady, reason },
  fullName,
}: {
  readonly of: ListedLearner;
  readonly fullName: string;
}) {
  const words = useChapter("names");
  const issuing = useChapter("issuing");
  return (
    <p role="status" className={`notice notice-${isReady ? "good" : "warn"}`}>
      {isReady ? filledIn(words.willPrint, { name: fullName }) : reasonInWords(reason, issuing)}
    </p>
  );
}
