import { countFailures } from "#domain/credentials/count-failures.js";
import { countDisabled } from "#domain/webhooks/endpoint-store.js";
import { printable, quoted, wrongField } from "#foundation/errors.js";
import { VERSION } from "#foundation/version.js";
import {
  type AdministrationService,
  HealthState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { type Database, inSnapshot, inTransaction } from "#infrastructure/db/database.js";
import { measureTasks, runNow } from "#infrastructure/jobs/queue-health.js";
import { retryPolicies, type TaskName } from "#infrastructure/jobs/tasks.js";
import type { Health, Readiness } from "#runtime/ops/readiness.js";
import type { Handlers } from "../../pipeline/handlers.js";

/** Maximum length of a stored job error in a response, in characters. */
const MAX_ERROR = 300;

export function healthHandlers({
  database,
  readiness,
  checkEmail,
}: {
  readonly database: Database;
  readonly readiness: Readiness;
  readonly checkEmail: () => Promise<boolean>;
}) {
  return {
    async getHealth(_, { signal }) {
      const [{ status, dependencies }, email] = await Promise.all([readiness.check(), checkSmtp(checkEmail)]);
      const [queue, failures, disabled] = await inSnapshot(database, signal, async (transaction) => [
        await measureTasks(transaction),
        await countFailures(transaction),
        await countDisabled(transaction),
      ]);
      return {
        state: presentedStates[status === "ready" && email?.works === false ? "degraded" : status],
        dependencies: [
          ...dependencies.map(({ name, works, ms }) => ({ name, works, durationMs: ms })),
          ...(email ? [email] : []),
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
      if (!Object.hasOwn(retryPolicies, task))
        throw wrongField(
          "task",
          `is ${quoted(task)}; it must be one of ${Object.keys(retryPolicies).join(", ")}.`,
        );
      const count = await inTransaction(database, call.signal, (transaction) =>
        runNow(transaction, task as TaskName),
      );
      call.changed(`queue:${task}`, undefined, { tried: count });
      return { count };
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

/** Checks the email server. Not a part of readiness, because an SMTP failure must not restart the service. */
async function checkSmtp(checkEmail: () => Promise<boolean>) {
  const started = performance.now();
  const problem = await checkEmail().then(
    (hasServer) => (hasServer ? "" : undefined),
    (error: Error) => printable(error.message, MAX_ERROR),
  );
  if (problem === undefined) return undefined;
  return { name: "mail", works: problem === "", problem, durationMs: performance.now() - started };
}

/** While a process shuts down, its health check reports `stopping` instead of any other state. */
const presentedStates: Readonly<Record<Health["status"], HealthState>> = {
  ready: HealthState.READY,
  degraded: HealthState.DEGRADED,
  unready: HealthState.UNREADY,
  stopping: HealthState.UNREADY,
};

/** Removes email addresses and quoted texts. Errors of SMTP servers and of rendering may contain personal data. */
function withoutNames(error: string): string {
  return error.replaceAll(/\S+@\S+/g, "…").replaceAll(/"[^"]*"|“[^”]*”|'[^']*'|‘[^’]*’/g, "…");
}
