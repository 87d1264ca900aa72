import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { CredentialService, EmailKind } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { AsCode } from "../components/as-code.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { useChapter, useWords } from "../i18n/words.js";
import { ConfigurationPicker } from "../offers/configuration-picker.js";
import { PlanChanged, PlanView } from "./plan-view.js";
import { Samples } from "./samples.js";
import { StartButton } from "./start-button.js";
import { usePlannedRun } from "./use-planned-run.js";

const EmailChoice = lazily(() => import("../emails/email-choice.js"), "EmailChoice");

/** Plans a run, shows who gets a credential, and starts exactly that plan. */
export function NewRunPage() {
  const { shell } = useWords();
  const issuing = useChapter("issuing");
  const { configuration } = useSearch({ from: "/runs/new" });
  const configurationId = configuration === undefined ? undefined : Number(configuration);
  const navigate = useNavigate({ from: "/runs/new" });
  return (
    <section className="page">
      <PageTitle title={shell.startRun} />
      <p className="intro">{issuing.runs.emptyMeans}</p>
      <ConfigurationPicker
        chosen={configurationId}
        onChoose={(id) => void navigate({ search: { configuration: String(id) }, replace: true })}
      />
      {configurationId !== undefined && (
        <PlannedRun key={configurationId} configurationId={configurationId} />
      )}
    </section>
  );
}

function PlannedRun({ configurationId }: { readonly configurationId: number }) {
  const issuing = useChapter("issuing");
  const [isSent, setIsSent] = useState(true);
  const { plan, error, refetch, changes, ...run } = usePlannedRun(
    { configurationId },
    { skipEmail: !isSent },
  );
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!plan) return <p role="status">{issuing.plan.working}</p>;
  return (
    <>
      {changes && <PlanChanged changes={changes} />}
      {run.startError && <Failure error={run.startError} />}
      <PlanView plan={plan} configurationId={configurationId} />
      {plan.issueCount > 0 && (
        <>
          <Samples configurationId={configurationId} plan={plan} />
          <EmailChoice
            help={issuing.plan.emailMeans}
            isSent={isSent}
            onChoose={setIsSent}
            preview={{ kind: EmailKind.AVAILABLE, configurationId }}
          />
          <div className="actions">
            <StartButton run={run} plan={plan} />
          </div>
          <AsCode
            method={CredentialService.method.startIssuanceRun}
            request={{ configurationId, planHash: plan.planHash, skipEmail: !isSent }}
            commands={[
              [
                "run",
                String(configurationId),
                "--plan-hash",
                plan.planHash,
                ...(isSent ? [] : ["--skip-email"]),
              ],
            ]}
          />
        </>
      )}
    </>
  );
}
