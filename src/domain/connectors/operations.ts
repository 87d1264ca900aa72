import { failedPrecondition } from "#foundation/errors.js";
import type { DoOperation, OperationKind } from "../operations/operation.js";
import { checkConnector, WHILE_USER_WAITS } from "./check-connector.js";
import type { ConnectorRegistry } from "./connector-registry.js";
import type { CheckResult } from "./driver/driver.js";
import type { SweepReport } from "./sweep/run-sweep.js";

/** Maximum number of failures, and of unknown facts, in a result. */
const MAX_PROBLEMS = 100;

/** Maximum number of findings of a check in a result. */
const MAX_ANSWERS = 200;

export interface CheckOutcome {
  readonly checks: readonly CheckResult[];
}

export interface SyncOutcome extends Pick<SweepReport, "state" | "reason" | "tally" | "held"> {
  readonly failures: SweepReport["failures"];
  readonly withheld: SweepReport["withheld"];
}

/** Returns the operations that staff can start in the console. They run in the process that reads platforms. */
export function connectorOperations(
  connectors: ConnectorRegistry,
): Partial<Record<OperationKind, DoOperation>> {
  const find = async (id: string) => {
    const { usable, unusable } = await connectors.list();
    const found = usable.find(({ settings }) => settings.id === id);
    if (found) return found;
    const problem = unusable.find((connector) => connector.id === id)?.problem;
    if (problem !== undefined) throw failedPrecondition(problem);
    throw failedPrecondition(
      `The worker doesn't know the connector ${id}: it was deleted, or the worker has a different CONNECTORS_FILE.`,
    );
  };
  const sync =
    (dryRun: boolean): DoOperation =>
    async ({ connector: id, options }, onProgress, signal) => {
      const report = await (await find(id)).sweep(
        {
          dryRun,
          acceptsWithdrawals: options.acceptsWithdrawals ?? false,
          cause: "console",
          isRequested: true,
          onPage: ({ stage, done, of }) => onProgress({ stage, done, total: of }),
        },
        signal,
      );
      if (!report) throw failedPrecondition(`A sync of ${id} is already running: retry later.`);
      const { state, reason, tally, failures, withheld, held } = report;
      return {
        state,
        reason,
        tally,
        held,
        failures: failures.slice(0, MAX_PROBLEMS),
        withheld: withheld.slice(0, MAX_PROBLEMS - Math.min(failures.length, MAX_PROBLEMS)),
      } satisfies SyncOutcome;
    };
  return {
    "plan sync": sync(true),
    sync: sync(false),
    async "check connector"({ connector: id }, onProgress, signal) {
      const checks: CheckResult[] = [];
      for await (const result of checkConnector((await find(id)).open(signal, WHILE_USER_WAITS))) {
        if (checks.length < MAX_ANSWERS) checks.push(result);
        onProgress({ stage: result.what, done: checks.length, total: 0 });
      }
      return { checks } satisfies CheckOutcome;
    },
  };
}
