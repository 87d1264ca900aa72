import { useQuery } from "@connectrpc/connect-query";
import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type Operation,
  type OperationKind,
  OperationState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { isolated } from "../components/isolated.js";
import { StateMark, type StatusAppearance } from "../components/status.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { bad, good, waiting } from "./looks.js";

const RUNNING_REFRESH_MS = 1_000;
const REFRESH_MS = 15_000;

export function isOpen({ state }: Operation): boolean {
  return state === OperationState.WAITING || state === OperationState.RUNNING;
}

/** Queries the operations of these kinds. Refreshes often until all have ended. */
export function useOperations(kinds: readonly OperationKind[]) {
  return useQuery(
    AdministrationService.method.listOperations,
    { kinds: [...kinds] },
    {
      refetchInterval: ({ state }) => (state.data?.operations.some(isOpen) ? RUNNING_REFRESH_MS : REFRESH_MS),
    },
  );
}

export function useOperation({ id, state }: Pick<Operation, "id" | "state">) {
  return useQuery(
    AdministrationService.method.getOperation,
    { id },
    { enabled: state === OperationState.DONE, staleTime: Number.POSITIVE_INFINITY },
  );
}

const appearances: Partial<Record<OperationState, StatusAppearance>> = {
  [OperationState.DONE]: good,
  [OperationState.FAILED]: bad,
};

export function OperationLine({
  operation,
  label,
}: {
  readonly operation: Operation;
  readonly label: string;
}) {
  const { operation: words } = useChapter("administration");
  const { moment, number } = useFormats();
  const cancel = useChange(AdministrationService.method.cancelOperation);
  const { id, state, stage, done, total, error, requestedBy, createTime } = operation;
  return (
    <div className="stack">
      <p role="status" className="subtitle">
        <strong>{label}</strong>
        <StateMark {...(appearances[state] ?? waiting)}>
          {textFor(words.states, OperationState[state])}
        </StateMark>
        {state === OperationState.RUNNING && (
          <span>
            {stage !== "" && (
              <bdi lang="en">
                {stage}
                {": "}
              </bdi>
            )}
            {total > 0 ? words.progress({ done, total }) : number(done)}
          </span>
        )}
        <span className="small">
          {words.requestedBy({ name: isolated(requestedBy), time: createTime ? moment(createTime) : "" })}
        </span>
        {isOpen(operation) && (
          <Button variant="quiet" isDisabled={cancel.isPending} onPress={() => cancel.mutate({ id })}>
            {words.cancel}
          </Button>
        )}
      </p>
      {cancel.error && <Failure error={cancel.error} />}
      {state === OperationState.WAITING && <p className="small faint">{words.waiting}</p>}
      {error !== "" && (
        <p className="notice notice-bad" lang="en" dir="ltr">
          {error}
        </p>
      )}
    </div>
  );
}
