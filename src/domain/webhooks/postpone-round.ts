import { randomUUID } from "node:crypto";
import { inTransaction, NEVER_ABORTS } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { enqueueJobs, type NewJob } from "#infrastructure/jobs/enqueue.js";
import { DISABLED_AFTER_DAYS, MIN_FAILED_ROUNDS, waitMs } from "./back-off.js";
import type { DeliveryDeps } from "./delivery-deps.js";
import { isFailingFor, type LeasedEndpoint, listEnabledIds, postponeEndpoint } from "./endpoint-store.js";
import type { PostResult } from "./post.js";

/**
 * Postpones an endpoint after a round with failures, or disables it. An endpoint is disabled immediately if the
 * receiver says that it is gone, otherwise after days without a success. Its position in the log of events is kept.
 */
export async function postponeRound(
  { database, log, timings }: DeliveryDeps,
  endpoint: LeasedEndpoint,
  lastFailure: PostResult,
  hasSucceeded: boolean,
): Promise<void> {
  const { id } = endpoint;
  const failedRounds = hasSucceeded ? 1 : endpoint.failedRounds + 1;
  const isLong =
    failedRounds >= MIN_FAILED_ROUNDS && (await isFailingFor(database.knex, id, DISABLED_AFTER_DAYS));
  const reason = reasonToDisable(lastFailure, isLong);
  const isDisabled = reason !== undefined;
  const isOurs = await inTransaction(database, NEVER_ABORTS, async (transaction) => {
    const changed = await postponeEndpoint(transaction, endpoint, {
      state: isDisabled ? "disabled" : "enabled",
      stateReason: reason,
      failedRounds,
      waitMs: timings?.waitMs ?? waitMs(failedRounds, lastFailure.retryAfterMs),
    });
    if (changed && isDisabled) await enqueueNotices(transaction, endpoint, reason);
    return changed;
  });
  if (isOurs && isDisabled) log.error({ endpoint: id, reason }, "webhook endpoint disabled");
}

/** Enqueues an email to the endpoint's contact, and `webhook.disabled` for the other endpoints. */
async function enqueueNotices(
  transaction: Knex.Transaction,
  { id, contact }: LeasedEndpoint,
  reason: string,
): Promise<void> {
  const noticeId = randomUUID();
  const others = await listEnabledIds(transaction);
  const disabledAt = new Date().toISOString();
  const jobs: NewJob[] = others.map((endpointId) => ({
    task: "tell_webhook_disabled",
    payload: { endpointId, disabledId: id, reason, disabledAt, noticeId },
  }));
  if (contact !== "") jobs.push({ task: "send_webhook_notice", payload: { endpointId: id, noticeId } });
  await enqueueJobs(transaction, jobs);
}

/** Returns why the endpoint must be disabled, or `undefined` if it stays enabled. */
function reasonToDisable({ status, error }: PostResult, isLong: boolean): string | undefined {
  if (status === 410) return "The receiver responded with status 410 (Gone): it no longer accepts events.";
  if (isLong)
    return `The receiver has accepted nothing for ${DISABLED_AFTER_DAYS} days. The last attempt failed: ${error}.`;
  return undefined;
}
