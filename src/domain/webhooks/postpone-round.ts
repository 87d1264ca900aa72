import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { inTransaction, NEVER_ABORTS } from "#infrastructure/db/transaction.js";
import { enqueueJobs, type NewJob } from "#infrastructure/jobs/enqueue.js";
import { DISABLED_AFTER_DAYS, MIN_FAILED_ROUNDS, waitMs } from "./back-off.js";
import type { DeliveryDeps } from "./delivery-deps.js";
import { isFailingFor, type LeasedEndpoint, listEnabledIds, postponeEndpoint } from "./endpoint-store.js";
import type { PostResult } from "./post.js";

/**
 * Has an endpoint wait after a round in which something failed, or disables it. That happens at once if the receiver
 * says that it is gone, or when nothing was accepted for days. Its place stays.
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

/** Its contact is told by email, and the other endpoints by `webhook.disabled`. */
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

/** @returns undefined if the endpoint goes on */
function reasonToDisable({ status, error }: PostResult, isLong: boolean): string | undefined {
  if (status === 410) return "The receiver answered 410: it is gone, and wants nothing more.";
  if (isLong)
    return `The receiver has accepted nothing for ${DISABLED_AFTER_DAYS} days. The last time, ${error}.`;
  return undefined;
}
