import { countFailures } from "#domain/credentials/count-failures.js";
import { countDisabled } from "#domain/webhooks/endpoint-store.js";
import { wrongField } from "#foundation/errors.js";
import { printable, quoted } from "#foundation/text/quoted.js";
import { VERSION } from "#foundation/version.js";
import {
  type AdministrationService,
  HealthState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot, inTransaction } from "#infrastructure/db/transaction.js";
import { measureTasks, runNow } from "#infrastructure/jobs/queue-health.js";
import { type TaskName, treatments } from "#infrastructure/jobs/tasks.js";
import type { Health, Readiness } from "#runtime/ops/readiness.js";
import type { Handlers } from "../../pipeline/handlers.js";

/** Maximum length of a stored job error in a response, in characters. */
const MAX_ERROR = 300;

/** The methods of `AdministrationService` for the health of the service. */
export function healthHandlers({
  database,
  readiness,
  checkEmail,
}: {
  readonly database: Database;
  readonly readiness: Readiness;
  readonly checkEmail: (() => Promise<void>) | undefined;
}) {
  return {
    async getHealth(_, { signal }) {
      const [{ status, dependencies }, mail] = await Promise.all([
        readiness.look(),
        checkEmail && checkSmtp(checkEmail),
      ]);
      const [queue, failures, disabled] = await inSnapshot(database, signal, async (transaction) => [
        await measureTasks(transaction),
        await countFailures(transaction),
        await countDisabled(transaction),
      ]);
      return {
        state: presentedStates[status === "ready" && mail?.works === false ? "degraded" : status],
        dependencies: [
          ...dependencies.map(({ name, works, ms }) => ({ name, works, durationMs: ms })),
          ...(mail ? [mail] : []),
        ],
        queue: queue.map(({ age, lastError, ...counts }) => ({
          ...counts,
          oldestSeconds: age,
          lastError: printable(withoutNames(lastError), MAX_ERROR),
        })),
        failedCredentialCount: failures.credentials,
        refusedEmailCount: failures.emails,
        disabledWebhookCount: disabled,
        version: VERSION,
      };
    },

    async retryJobs({ task }, call) {
      if (!Object.hasOwn(treatments, task))
        throw wrongField(
          "task",
          `is ${quoted(task)}; it must be one of ${Object.keys(treatments).join(", ")}.`,
        );
      const count = await inTransaction(database, call.signal, (transaction) =>
        runNow(transaction, task as TaskName),
      );
      call.changed(`queue:${task}`, undefined, { tried: count });
      return { count };
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

/**
 * Not part of the readiness check: the service can work without email, so an SMTP failure must not get it restarted.
 */
async function checkSmtp(checkEmail: () => Promise<void>) {
  const started = performance.now();
  const problem = await checkEmail().then(
    () => "",
    (error: Error) => printable(error.message, MAX_ERROR),
  );
  return { name: "mail", works: problem === "", problem, durationMs: performance.now() - started };
}

/** The health check reports `stopping` instead of any other state while a process shuts down. */
const presentedStates: Readonly<Record<Health["status"], HealthState>> = {
  ready: HealthState.READY,
  degraded: HealthState.DEGRADED,
  unready: HealthState.UNREADY,
  stopping: HealthState.UNREADY,
};

/**
 * Removes addresses and quoted texts from an error, because errors of SMTP servers and of rendering may contain
 * personal data.
 */
function withoutNames(error: string): string {
  return error.replaceAll(/\S+@\S+/g, "…").replaceAll(/"[^"]*"|“[^”]*”|'[^']*'|‘[^’]*’/g, "…");
}
