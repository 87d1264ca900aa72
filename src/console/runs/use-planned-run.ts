import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { useMutation, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  CredentialService,
  type StartIssuanceRunRequestSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { IssuancePlan } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { changesBetween } from "./plan-changes.js";

const method = CredentialService.method.startIssuanceRun;

type Request = MessageInitShape<typeof StartIssuanceRunRequestSchema>;

/**
 * Plans a run and starts exactly that plan. If the plan is outdated when the run is to start, plans the run again.
 * @param onStarted called before the run's page is opened
 */
export function usePlannedRun(
  request: Request,
  {
    isEnabled = true,
    skipEmail = false,
    requestToStart = () => request,
    onStarted,
  }: {
    readonly isEnabled?: boolean;
    readonly skipEmail?: boolean;
    /** Returns the request that starts the plan; by default, the request that planned it. */
    readonly requestToStart?: (plan: IssuancePlan) => Request;
    readonly onStarted?: () => void;
  } = {},
) {
  const navigate = useNavigate();
  const [outdated, setOutdated] = useState<IssuancePlan>();
  const planned = useQuery(
    method,
    { ...request, dryRun: true },
    {
      enabled: isEnabled,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      placeholderData: keepPreviousData,
    },
  );
  const isCurrent = !planned.isPlaceholderData && !planned.isFetching;
  const plan = isCurrent ? planned.data?.plan : undefined;
  const start = useMutation(method, {
    onSuccess({ run }) {
      if (!run) return;
      onStarted?.();
      void navigate({ to: "/runs/$id", params: { id: run.id } });
    },
    onError(error) {
      if (error.code !== Code.Aborted) return;
      setOutdated(plan);
      void planned.refetch();
    },
  });
  const startRequest = (of: IssuancePlan) => ({
    ...requestToStart(of),
    skipEmail,
    planHash: of.planHash,
  });
  return {
    /** undefined while the run is being planned. */
    plan,
    error: planned.error,
    refetch: planned.refetch,
    /** The differences to the plan that the reader saw before, if that plan has become outdated. */
    changes: outdated && plan && changesBetween(outdated, plan),
    startError: start.error?.code === Code.Aborted ? null : start.error,
    isStarting: start.isPending,
    startRequest,
    start: () => plan && start.mutate(startRequest(plan)),
  };
}
