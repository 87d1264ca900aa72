import { Code, ConnectError } from "@connectrpc/connect";
import { useMutation, useQuery } from "@connectrpc/connect-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { IssuancePlan } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { ConfigurationPicker } from "../configurations/configuration-picker.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { PageTitle } from "../parts/page-title.js";
import { useMay } from "../parts/use-may.js";
import { useWords } from "../reader/words.js";
import { changesBetween } from "./plan-changes.js";
import { PlanChanged, PlanView } from "./plan-view.js";
import { Samples } from "./samples.js";

/** Plans a run, shows whom it concerns and what they get, and starts exactly that. */
export function NewRunPage() {
  const { issuing } = useWords();
  const { configuration } = useSearch({ from: "/runs/new" });
  const configurationId = configuration === undefined ? undefined : Number(configuration);
  const navigate = useNavigate({ from: "/runs/new" });
  return (
    <section className="page">
      <PageTitle title={issuing.runs.start} />
      <p className="intro">{issuing.runs.emptyMeans}</p>
      <ConfigurationPicker
        chosen={configurationId}
        onChoose={(id) => void navigate({ search: { configuration: id?.toString() }, replace: true })}
      />
      {configurationId !== undefined && (
        <PlannedRun key={configurationId} configurationId={configurationId} />
      )}
    </section>
  );
}

function PlannedRun({ configurationId }: { readonly configurationId: number }) {
  const { issuing } = useWords();
  const navigate = useNavigate();
  const may = useMay();
  const request = { configurationId, dryRun: true };
  const planned = useQuery(CredentialService.method.startIssuanceRun, request, {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [outdated, setOutdated] = useState<IssuancePlan>();
  const start = useMutation(CredentialService.method.startIssuanceRun, {
    onSuccess: ({ run }) => run && navigate({ to: "/runs/$id", params: { id: run.id } }),
    onError(error) {
      if (error.code !== Code.Aborted) return;
      setOutdated(planned.data?.plan);
      void planned.refetch();
    },
  });
  const plan = planned.data?.plan;
  const hasChanged = start.error !== null && ConnectError.from(start.error).code === Code.Aborted;

  if (planned.error) return <Failure error={planned.error} onRetry={() => void planned.refetch()} />;
  if (!plan) return <p role="status">{issuing.plan.working}</p>;
  return (
    <>
      {outdated && !planned.isFetching && <PlanChanged changes={changesBetween(outdated, plan)} />}
      {start.error && !hasChanged && <Failure error={start.error} />}
      <PlanView plan={plan} configurationId={configurationId} />
      {plan.issueCount > 0 && <Samples configurationId={configurationId} plan={plan} />}
      {plan.issueCount > 0 && (
        <div className="actions">
          <Button
            look="primary"
            why={may("registrar")}
            isDisabled={start.isPending || planned.isFetching}
            onPress={() => start.mutate({ configurationId, planHash: plan.planHash })}
          >
            {issuing.plan.issue(plan.issueCount)}
          </Button>
          <p className="small faint">{issuing.plan.told}</p>
        </div>
      )}
      {plan.issueCount > 0 && (
        <AsCode
          method={CredentialService.method.startIssuanceRun}
          request={{ configurationId, planHash: plan.planHash }}
          commands={[["run", String(configurationId), "--plan-hash", plan.planHash]]}
        />
      )}
    </>
  );
}
