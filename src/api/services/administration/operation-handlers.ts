import { isDeepStrictEqual } from "node:util";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectorRegistry } from "#domain/connectors/connector-registry.js";
import type { CheckOutcome, SyncOutcome } from "#domain/connectors/operations.js";
import {
  CONNECTOR_OPERATIONS,
  OPERATION_KINDS,
  type Operation,
  type OperationKind,
} from "#domain/operations/operation.js";
import {
  cancelOperation,
  findOperation,
  insertOperation,
  listOperations,
} from "#domain/operations/operation-store.js";
import { failedPrecondition, Problem, quoted, wrongField } from "#foundation/errors.js";
import {
  type AdministrationService,
  OperationKind as KindMessage,
  OperationKindSchema,
  type OperationSchema,
  RepairOutcome,
  OperationState as StateMessage,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { type Database, inSnapshot, inTransaction } from "#infrastructure/db/database.js";
import { type DiagnosisOutcome, diagnosisOf, planHashOf } from "#runtime/doctor/diagnosis-outcome.js";
import { explanations, type FindingKind } from "#runtime/doctor/finding.js";
import { callerName, type Handlers } from "../../pipeline/handlers.js";
import { presentChecks } from "../presentation/present-checks.js";
import { checkId } from "../requests/check-request.js";
import { numbersByName, parseEnum } from "../requests/parse-enum.js";
import { presentedSweepStates, presentProblems, presentTally } from "./connector-handlers.js";

export function operationHandlers(database: Database, connectors: ConnectorRegistry) {
  /** @throws Problem `invalid` if the connector doesn't fit the kind of operation */
  async function checkConnector(kind: OperationKind, connector: string): Promise<void> {
    const { usable, unusable } = await connectors.list();
    const ids = [...usable.map(({ settings }) => settings.id), ...unusable.map(({ id }) => id)];
    const isOfConnector = CONNECTOR_OPERATIONS.some((each) => each === kind);
    if (isOfConnector ? ids.includes(connector) : connector === "") return;
    const right = isOfConnector ? ids.join(", ") || "the id of a connector; there is none" : "empty";
    throw wrongField("connector", `is ${quoted(connector)}; it must be ${right}.`);
  }

  return {
    async startOperation(request, call) {
      const { caller, signal } = call;
      const { connector, withHashes, diagnosisId, acceptsWithdrawals } = request;
      const kind = parseEnum("kind", presentedKinds, request.kind, OperationKindSchema);
      await checkConnector(kind, connector);
      const options = {
        ...(kind === "diagnosis" && { withHashes }),
        ...(kind === "repair" && { diagnosisId: checkId("diagnosis_id", diagnosisId) }),
        ...(kind === "sync" && { acceptsWithdrawals }),
      };
      const started = await inTransaction(database, signal, async (transaction) => {
        if (kind === "repair") {
          const { plan } = await diagnosisOf(transaction, diagnosisId);
          if (plan.length === 0 || planHashOf(plan) !== request.planHash)
            throw new Problem(
              "aborted",
              `plan_hash doesn't match diagnosis ${diagnosisId}, or that diagnosis found nothing to repair: run a new diagnosis.`,
              { reason: "PLAN_CHANGED" },
            );
        }
        return insertOperation(transaction, { kind, connector, requestedBy: callerName(caller), options });
      });
      if (isDeepStrictEqual(started.options, options)) {
        if (started.isNew) call.changed(`operation:${started.id}`, undefined, { kind, ...options });
        return present(started);
      }
      throw new Problem(
        "already-exists",
        `Operation ${started.id} is running with other parameters: wait for it, or cancel it.`,
      );
    },

    async getOperation({ id }, { signal }) {
      checkId("id", id);
      const found = await inSnapshot(database, signal, (transaction) => findOperation(transaction, id));
      return present(found ?? throwNoSuchOperation(id));
    },

    async listOperations({ kinds }, { signal }) {
      const wanted = kinds.map((kind, index) =>
        parseEnum(`kinds[${index}]`, presentedKinds, kind, OperationKindSchema),
      );
      const rows = await inSnapshot(database, signal, (transaction) =>
        listOperations(transaction, wanted.length > 0 ? wanted : OPERATION_KINDS),
      );
      return { operations: rows.map(present) };
    },

    async cancelOperation({ id }, call) {
      checkId("id", id);
      return inTransaction(database, call.signal, async (transaction) => {
        const cancelled = await cancelOperation(transaction, id);
        if (cancelled) {
          call.changed(`operation:${id}`, undefined, { state: cancelled.state });
          return present(cancelled);
        }
        const ended = (await findOperation(transaction, id)) ?? throwNoSuchOperation(id);
        if (ended.state === "cancelled") return present(ended);
        throw failedPrecondition(
          `Operation ${id} has already ended (${ended.state}), so it can't be cancelled.`,
        );
      });
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

function throwNoSuchOperation(id: number): never {
  throw new Problem("not-found", `There is no operation ${id}, or it was deleted because of its age.`);
}

const presentedKinds: Readonly<Record<OperationKind, KindMessage>> = {
  "check connector": KindMessage.CHECK_CONNECTOR,
  "plan sync": KindMessage.PLAN_SYNC,
  sync: KindMessage.SYNC,
  diagnosis: KindMessage.DIAGNOSIS,
  repair: KindMessage.REPAIR,
};

const presentedStates = numbersByName(StateMessage);

type Message = MessageInitShape<typeof OperationSchema>;

function present(operation: Operation): Message {
  const { id, kind, connector, state, requestedBy, requestedAt, beganAt, endedAt, progress, error } =
    operation;
  return {
    id,
    kind: presentedKinds[kind],
    connector,
    state: presentedStates[state],
    requestedBy,
    createTime: timestampFromDate(requestedAt),
    ...(beganAt && { startTime: timestampFromDate(beganAt) }),
    ...(endedAt && { endTime: timestampFromDate(endedAt) }),
    ...progress,
    error,
    ...(state === "done" && operation.result !== null && presentResult(kind, operation.result)),
  };
}

function presentResult(kind: OperationKind, result: unknown): Pick<Message, "checks" | "sync" | "diagnosis"> {
  if (kind === "check connector") {
    const { checks } = result as CheckOutcome;
    return presentChecks(checks);
  }
  if (kind === "diagnosis" || kind === "repair")
    return { diagnosis: presentDiagnosis(result as DiagnosisOutcome) };
  const { state, reason, tally, failures, withheld, held } = result as SyncOutcome;
  const problems = presentProblems(failures, withheld);
  return {
    sync: {
      state: presentedSweepStates[state],
      reason,
      counts: presentTally(tally),
      problems,
      heldCount: held,
    },
  };
}

function presentDiagnosis({ found, stats, plan, repaired }: DiagnosisOutcome) {
  const kinds = (Object.keys(explanations) as FindingKind[]).filter((kind) => found[kind]);
  return {
    groups: kinds.map((kind) => {
      const { title, remedy, isWarning = false } = explanations[kind];
      const { count = 0, shown = [] } = found[kind] ?? {};
      const findings = shown.map(({ credentialUuid = "", detail, outcome = "" }) => ({
        credentialUuid,
        detail,
        ...(outcome === "repaired" && { outcome: RepairOutcome.REPAIRED }),
        ...(outcome !== "" && outcome !== "repaired" && { outcome: RepairOutcome.FAILED, problem: outcome }),
      }));
      return { kind, title, remedy, isWarning, count, findings };
    }),
    credentialFileCount: stats.credentialFiles,
    storedFileCount: stats.storedFiles,
    assetCount: stats.assets,
    planHash: planHashOf(plan),
    repairableCount: plan.length,
    repairedCount: repaired,
  };
}
