import type { Knex } from "knex";
import { execute, query, queryRow, queryRowOrThrow, queryRows } from "../db/query.js";
import {
  type EndpointSettings,
  type EndpointState,
  type EndpointWithLag,
  MAX_ENDPOINTS,
  type WebhookEndpoint,
} from "./webhook-endpoint.js";

const COLUMNS = `endpoint.id, url, description, event_types as "eventTypes", window_size as "windowSize",
  batch_size as "batchSize", skip_rejected_after as "skipRejectedAfter", contact, state, state_reason as "stateReason",
  delivered_up_to as "deliveredUpTo", secret_generation as "secretGeneration", previous_until as "previousUntil",
  failing_since as "failingSince", failed_rounds as "failedRounds", next_attempt_at as "nextAttemptAt",
  last_success_at as "lastSuccessAt", created_at as "createdAt", created_by as "createdBy"`;

const LAG = `greatest((select position from credential_event_head) - delivered_up_to, 0) as lag,
  (select occurred_at from credential_events where position > delivered_up_to order by position limit 1) as "oldestWaiting"`;

/**
 * Inserts an endpoint, unless there are `MAX_ENDPOINTS` already.
 * @param fromPosition position after which it begins; undefined: that of the last event
 * @returns undefined if there are too many
 */
export async function insertEndpoint(
  transaction: Knex.Transaction,
  settings: EndpointSettings,
  createdBy: string,
  fromPosition: number | undefined,
): Promise<WebhookEndpoint | undefined> {
  await execute(transaction, "lock table webhook_endpoints in share row exclusive mode");
  return queryRow<WebhookEndpoint>(
    transaction,
    `insert into webhook_endpoints as endpoint
       (url, description, event_types, window_size, batch_size, skip_rejected_after, contact, created_by, delivered_up_to)
     select :url, :description, :eventTypes::text[], :windowSize, :batchSize, :skipRejectedAfter, :contact, :createdBy,
       coalesce(:fromPosition::bigint, (select position from credential_event_head))
     where (select count(*) from webhook_endpoints) < ${MAX_ENDPOINTS}
     returning ${COLUMNS}`,
    { ...settings, createdBy, fromPosition: fromPosition ?? null },
  );
}

export function findEndpoint(db: Knex, id: string): Promise<WebhookEndpoint | undefined> {
  return queryRow<WebhookEndpoint>(db, `select ${COLUMNS} from webhook_endpoints as endpoint where id = ?`, [
    id,
  ]);
}

export function findEndpointWithLag(db: Knex, id: string): Promise<EndpointWithLag | undefined> {
  return queryRow<EndpointWithLag>(
    db,
    `select ${COLUMNS}, ${LAG} from webhook_endpoints as endpoint where id = ?`,
    [id],
  );
}

/** Returns all endpoints, in order of their creation. */
export function listEndpoints(db: Knex): Promise<EndpointWithLag[]> {
  return queryRows<EndpointWithLag>(
    db,
    `select ${COLUMNS}, ${LAG} from webhook_endpoints as endpoint order by created_at, id`,
  );
}

export async function listEnabledIds(db: Knex): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    "select id from webhook_endpoints where state = 'enabled' order by created_at, id",
  );
  return rows.map(({ id }) => id);
}

/** Replaces the settings. A sender that has the endpoint now loses it, so that the next one follows them. */
export function updateEndpoint(
  db: Knex,
  id: string,
  settings: EndpointSettings,
): Promise<WebhookEndpoint | undefined> {
  return queryRow<WebhookEndpoint>(
    db,
    `update webhook_endpoints as endpoint
     set url = :url, description = :description, event_types = :eventTypes::text[], window_size = :windowSize,
       batch_size = :batchSize, skip_rejected_after = :skipRejectedAfter, contact = :contact,
       next_attempt_at = now(), lease = null, leased_until = null
     where id = :id returning ${COLUMNS}`,
    { ...settings, id },
  );
}

/** Pauses or enables an endpoint; its place in the chain stays. Enabling forgets earlier failures. */
export function setEndpointState(
  db: Knex,
  id: string,
  state: Exclude<EndpointState, "disabled">,
  reason: string,
): Promise<WebhookEndpoint | undefined> {
  return queryRow<WebhookEndpoint>(
    db,
    `update webhook_endpoints as endpoint
     set state = ?, state_reason = ?, failing_since = null, failed_rounds = 0, next_attempt_at = now(),
       lease = null, leased_until = null
     where id = ? returning ${COLUMNS}`,
    [state, reason, id],
  );
}

/** Has the endpoint begin again after a position, earlier or later than its own. A sender that has it loses it. */
export async function moveEndpoint(
  transaction: Knex.Transaction,
  id: string,
  position: number,
): Promise<WebhookEndpoint | undefined> {
  // A statement that waits for a sender doesn't see the attempts that it has stored meanwhile. The next one does.
  await queryRow(transaction, "select from webhook_endpoints where id = ? for update", [id]);
  return queryRow<WebhookEndpoint>(
    transaction,
    `update webhook_endpoints as endpoint
     set delivered_up_to = ?, next_attempt_at = now(), lease = null, leased_until = null,
       forgets_up_to = coalesce((select max(id) from webhook_attempts where endpoint_id = endpoint.id), 0)
     where id = ? returning ${COLUMNS}`,
    [position, id],
  );
}

/** Makes an endpoint due now. A sender that has it loses it. */
export async function hurryEndpoint(db: Knex, id: string): Promise<void> {
  await execute(
    db,
    "update webhook_endpoints set next_attempt_at = now(), lease = null, leased_until = null where id = ?",
    [id],
  );
}

/** Moves on to the next secret; the one before signs, too, for so many hours. A sender that has it loses it. */
export function rotateSecret(
  db: Knex,
  id: string,
  overlapHours: number,
): Promise<WebhookEndpoint | undefined> {
  return queryRow<WebhookEndpoint>(
    db,
    `update webhook_endpoints as endpoint
     set secret_generation = secret_generation + 1, previous_until = now() + make_interval(hours => ?),
       lease = null, leased_until = null
     where id = ? returning ${COLUMNS}`,
    [overlapHours, id],
  );
}

/** @returns whether it was there */
export async function deleteEndpoint(db: Knex, id: string): Promise<boolean> {
  return (await execute(db, "delete from webhook_endpoints where id = ?", [id])) > 0;
}

/** An endpoint that a sender has for itself. */
export interface LeasedEndpoint extends WebhookEndpoint {
  readonly lease: string;
}

/**
 * Leases endpoints that are due and have events to deliver, those that have waited longest first. Others who
 * ask at the same moment get other endpoints.
 */
export async function leaseEndpoints(db: Knex, max: number, leaseMs: number): Promise<LeasedEndpoint[]> {
  const { rows } = await query<LeasedEndpoint>(
    db,
    "lease_webhook_endpoints",
    `update webhook_endpoints as endpoint
     set lease = gen_random_uuid(), leased_until = now() + ?::double precision * interval '1 ms'
     where id in (
       select id from webhook_endpoints
       where state = 'enabled' and next_attempt_at <= now() and (lease is null or leased_until < now())
         and delivered_up_to < (select position from credential_event_head)
       order by next_attempt_at limit ? for update skip locked
     )
     returning ${COLUMNS}, lease`,
    [leaseMs, max],
  );
  return rows;
}

/** How far a sender has come. */
export interface Progress {
  readonly deliveredUpTo: number;
  /** Whether something was accepted since the last time. */
  readonly hasSucceeded: boolean;
}

/**
 * Stores the progress and renews the lease.
 * @returns false if the lease is another's by now: then nothing is stored
 */
export async function storeProgress(
  db: Knex,
  { id, lease }: LeasedEndpoint,
  { deliveredUpTo, hasSucceeded }: Progress,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await query(
    db,
    "store_webhook_progress",
    `update webhook_endpoints
     set delivered_up_to = ?, leased_until = now() + ?::double precision * interval '1 ms',
       last_success_at = case when ? then now() else last_success_at end,
       failing_since = case when ? then null else failing_since end,
       failed_rounds = case when ? then 0 else failed_rounds end
     where id = ? and lease = ?`,
    [deliveredUpTo, leaseMs, hasSucceeded, hasSucceeded, hasSucceeded, id, lease],
  );
  return rowCount > 0;
}

/** Gives the lease back after a round in which nothing failed. */
export async function releaseEndpoint(db: Knex, { id, lease }: LeasedEndpoint): Promise<void> {
  await execute(
    db,
    "update webhook_endpoints set lease = null, leased_until = null, next_attempt_at = now() where id = ? and lease = ?",
    [id, lease],
  );
}

/** What a round that failed decides. */
export interface FailedRound {
  readonly state: Extract<EndpointState, "enabled" | "disabled">;
  /** undefined: as before. */
  readonly stateReason: string | undefined;
  readonly failedRounds: number;
  readonly waitMs: number;
}

/**
 * Gives the lease back after a round in which something failed.
 * @returns false if the lease is another's by now: then nothing is stored
 */
export async function postponeEndpoint(
  db: Knex,
  { id, lease }: LeasedEndpoint,
  { state, stateReason, failedRounds, waitMs }: FailedRound,
): Promise<boolean> {
  const changed = await execute(
    db,
    `update webhook_endpoints
     set lease = null, leased_until = null, failed_rounds = ?, failing_since = coalesce(failing_since, now()),
       next_attempt_at = now() + ?::double precision * interval '1 ms', state = ?, state_reason = coalesce(?, state_reason)
     where id = ? and lease = ?`,
    [failedRounds, waitMs, state, stateReason ?? null, id, lease],
  );
  return changed > 0;
}

/** Notes that events were removed before they were delivered. */
export async function noteGap(db: Knex, { id, lease }: LeasedEndpoint, reason: string): Promise<void> {
  await execute(db, "update webhook_endpoints set state_reason = ? where id = ? and lease = ?", [
    reason,
    id,
    lease,
  ]);
}

/** Reads how long an endpoint has failed, by the database's clock. */
export async function isFailingFor(db: Knex, id: string, days: number): Promise<boolean> {
  const { isLong } = await queryRowOrThrow<{ isLong: boolean }>(
    db,
    `select coalesce(bool_or(failing_since <= now() - make_interval(days => ?)), false) as "isLong"
     from webhook_endpoints where id = ?`,
    [days, id],
  );
  return isLong;
}

/** Number of endpoints in a state. */
export interface EndpointCount {
  readonly state: EndpointState;
  readonly endpoints: number;
}

/** How far an endpoint is behind. */
export interface EndpointDelay {
  readonly id: string;
  readonly lag: number;
  /** Age of the oldest event that waits, in seconds; 0 if there is none. */
  readonly seconds: number;
}

export function countEndpoints(db: Knex): Promise<EndpointCount[]> {
  return queryRows<EndpointCount>(
    db,
    `select state, count(endpoint.id)::integer as endpoints
     from unnest(array['enabled', 'paused', 'disabled']) as state
     left join webhook_endpoints as endpoint using (state)
     group by state`,
  );
}

export function measureEndpoints(db: Knex): Promise<EndpointDelay[]> {
  return queryRows<EndpointDelay>(
    db,
    `select id, lag, coalesce(extract(epoch from now() - "oldestWaiting"), 0)::double precision as seconds
     from (select endpoint.id, ${LAG} from webhook_endpoints as endpoint) as late`,
  );
}

/** Counts endpoints that were disabled because their receiver had failed. */
export async function countDisabled(db: Knex): Promise<number> {
  const sql = "select count(*)::integer as count from webhook_endpoints where state = 'disabled'";
  return (await queryRowOrThrow<{ count: number }>(db, sql)).count;
}
