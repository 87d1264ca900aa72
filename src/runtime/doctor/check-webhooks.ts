import { listEndpoints } from "#domain/webhooks/endpoint-store.js";
import type { EndpointWithLag } from "#domain/webhooks/webhook-endpoint.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Longer than a worker takes to notice that a delivery is due. */
const MAX_UNTRIED_MS = HOUR_MS;

/**
 * Finds webhook endpoints that are disabled, that receive their events late, or that would miss events because
 * retention removes them.
 */
export async function* checkWebhooks({ database, eventRetentionDays }: DoctorDeps): AsyncGenerator<Finding> {
  for (const endpoint of await listEndpoints(database.knex)) {
    if (endpoint.state === "disabled")
      yield { kind: "disabled-webhook", detail: `${endpoint.id}: ${endpoint.stateReason}` };
    const ageMs = endpoint.oldestWaiting ? Date.now() - endpoint.oldestWaiting.getTime() : 0;
    const isAboutToMiss = eventRetentionDays > 0 && ageMs > (eventRetentionDays * DAY_MS) / 2;
    if (isAboutToMiss)
      yield { kind: "lagging-webhook", detail: describeLag(endpoint, ageMs, eventRetentionDays) };
    else if (endpoint.state === "enabled" && isLate(endpoint, ageMs))
      yield { kind: "late-webhook", detail: describeLag(endpoint, ageMs, eventRetentionDays) };
  }
}

/** Returns whether the receiver has been failing for a day, or no worker delivers events. */
function isLate({ failingSince, nextAttemptAt, lag }: EndpointWithLag, ageMs: number): boolean {
  const isFailing = failingSince !== null && failingSince.getTime() < Date.now() - DAY_MS;
  const isUntried =
    lag > 0 && ageMs > MAX_UNTRIED_MS && nextAttemptAt.getTime() < Date.now() - MAX_UNTRIED_MS;
  return isFailing || isUntried;
}

function describeLag({ id, lag }: EndpointWithLag, ageMs: number, retentionDays: number): string {
  const retention = retentionDays > 0 ? `; events are kept for ${retentionDays} days` : "";
  return `${id}: ${lag} events are pending, the oldest for ${Math.floor(ageMs / HOUR_MS)} hours${retention}`;
}
