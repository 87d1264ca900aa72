import {
  execute,
  hasRows,
  type Knex,
  query,
  queryRow,
  queryRows,
  queryValue,
  queryValues,
} from "#infrastructure/db/query.js";
import {
  type EndpointSettings,
  type EndpointState,
  type EndpointWithLag,
  endpointColumns,
  endpointSettingColumns,
  MAX_ENDPOINTS,
  type WebhookEndpoint,
} from "./webhook-endpoint.js";

const LAG = `greatest((select position from credential_event_head) - delivered_up_to, 0) as lag,
  (select occurred_at from credential_events where position > delivered_up_to order by position limit 1) as "oldestWaiting"`;

/**
 * Returns `undefined` if there are already `MAX_ENDPOINTS` endpoints.
 * @param afterPosition position after which deliveries begin; undefined for the position of the last event
 */
export async function insertEndpoint(
  transaction: Knex.Transaction,
  settings: EndpointSettings,
  createdBy: string,
  afterPosition: number | undefined,
): Promise<WebhookEndpoint | undefined> {
  await execute(transaction, "lock table webhook_endpoints in share row exclusive mode");
  return queryRow<WebhookEndpoint>(
    transaction,
    `insert into webhook_endpoints as endpoint
       (${endpointSettingColumns.names}, created_by, delivered_up_to)
     select given.*, :createdBy, coalesce(:afterPosition::bigint, (select position from credential_event_head))
     from ${endpointSettingColumns.parameterOf(":settings")} as given where (select count(*) from webhook_endpoints) < ${MAX_ENDPOINTS}
     returning ${endpointColumns.selected}`,
    { settings: endpointSettingColumns.json(settings), createdBy, afterPosition: afterPosition ?? null },
  );
}

export function findEndpoint(db: Knex, id: string): Promise<EndpointWithLag | undefined> {
  return queryRow<EndpointWithLag>(
    db,
    `select ${endpointColumns.selected}, ${LAG} from webhook_endpoints as endpoint where id = ?`,
    [id],
  );
}

/** Lists endpoints in the order in which they were created. */
export function listEndpoints(db: Knex): Promise<EndpointWithLag[]> {
  return queryRows<EndpointWithLag>(
    db,
    `select ${endpointColumns.selected}, ${LAG} from webhook_endpoints as endpoint order by created_at, id`,
  );
}

export async function listEnabledIds(db: Knex): Promise<string[]> {
  return queryValues<string>(
    db,
    "select id from webhook_endpoints where state = 'enabled' order by created_at, id",
  );
}

/**
 * Changes an endpoint. If a sender has leased it, the sender loses its lease, so that the next sender uses the new
 * settings.
 * @param changes SQL assignments to columns
 */
function change(
  db: Knex,
  id: string,
  changes: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<WebhookEndpoint | undefined> {
  return queryRow<WebhookEndpoint>(
    db,
    `update webhook_endpoints as endpoint set ${changes}, lease = null, leased_until = null
     where id = :id returning ${endpointColumns.selected}`,
    { ...values, id },
  );
}

export function updateEndpoint(
  db: Knex,
  id: string,
  settings: EndpointSettings,
): Promise<WebhookEndpoint | undefined> {
  const columns = `(${endpointSettingColumns.names}) = ${endpointSettingColumns.parameterOf(":settings")}, next_attempt_at = now()`;
  return change(db, id, columns, { settings: endpointSettingColumns.json(settings) });
}

/** Changes the state of an endpoint, but keeps its position. Enabling an endpoint clears earlier failures. */
export function setEndpointState(
  db: Knex,
  id: string,
  state: Exclude<EndpointState, "disabled">,
  reason: string,
): Promise<WebhookEndpoint | undefined> {
  const columns =
    "state = :state, state_reason = :reason, failing_since = null, failed_rounds = 0, next_attempt_at = now()";
  return change(db, id, columns, { state, reason });
}

/**
 * Moves an endpoint to another position, before or after the current one. Deliveries continue after the new position.
 */
export async function moveEndpoint(
  transaction: Knex.Transaction,
  id: string,
  position: number,
): Promise<WebhookEndpoint | undefined> {
  // A separate statement waits for the sender's lock. If the update below waited itself, it would not see the attempts
  // that the sender stores meanwhile.
  await queryRow(transaction, "select from webhook_endpoints where id = ? for update", [id]);
  const columns = `delivered_up_to = :position, next_attempt_at = now(),
    forgets_up_to = coalesce((select max(id) from webhook_attempts where endpoint_id = endpoint.id), 0)`;
  return change(transaction, id, columns, { position });
}

export async function deliverSoon(db: Knex, id: string): Promise<void> {
  await change(db, id, "next_attempt_at = now()");
}

/** Rotates an endpoint's secret. The previous secret stays valid for the given number of hours. */
export function rotateSecret(
  db: Knex,
  id: string,
  overlapHours: number,
): Promise<WebhookEndpoint | undefined> {
  const columns =
    "secret_generation = secret_generation + 1, previous_until = now() + make_interval(hours => :overlapHours)";
  return change(db, id, columns, { overlapHours });
}

/** Returns whether the endpoint existed. */
export async function deleteEndpoint(db: Knex, id: string): Promise<boolean> {
  return hasRows(db, "delete from webhook_endpoints where id = ?", [id]);
}

export interface LeasedEndpoint extends WebhookEndpoint {
  readonly lease: string;
}

/**
 * Leases due endpoints with events to deliver. Endpoints that have waited longest come first. Concurrent callers get
 * different endpoints.
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
     returning ${endpointColumns.selected}, lease`,
    [leaseMs, max],
  );
  return rows;
}

export interface Progress {
  readonly deliveredUpTo: number;
  /** Whether a request was accepted since the progress was last stored. */
  readonly hasSucceeded: boolean;
}

/** Stores the progress, and renews the lease. Returns false and stores nothing if another sender now has the lease. */
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

/** Releases the lease after a round without failures. */
export async function releaseEndpoint(db: Knex, { id, lease }: LeasedEndpoint): Promise<void> {
  await execute(
    db,
    "update webhook_endpoints set lease = null, leased_until = null, next_attempt_at = now() where id = ? and lease = ?",
    [id, lease],
  );
}

interface FailedRound {
  readonly state: Extract<EndpointState, "enabled" | "disabled">;
  /** Undefined if the reason does not change. */
  readonly stateReason: string | undefined;
  readonly failedRounds: number;
  readonly waitMs: number;
}

/** Ends a round with failures. Returns false and stores nothing if another sender now has the lease. */
export async function postponeEndpoint(
  db: Knex,
  { id, lease }: LeasedEndpoint,
  { state, stateReason, failedRounds, waitMs }: FailedRound,
): Promise<boolean> {
  return hasRows(
    db,
    `update webhook_endpoints
     set lease = null, leased_until = null, failed_rounds = ?, failing_since = coalesce(failing_since, now()),
       next_attempt_at = now() + ?::double precision * interval '1 ms', state = ?, state_reason = coalesce(?, state_reason)
     where id = ? and lease = ?`,
    [failedRounds, waitMs, state, stateReason ?? null, id, lease],
  );
}

export async function noteGap(db: Knex, { id, lease }: LeasedEndpoint, reason: string): Promise<void> {
  await execute(db, "update webhook_endpoints set state_reason = ? where id = ? and lease = ?", [
    reason,
    id,
    lease,
  ]);
}

/** Returns whether an endpoint has been failing for this number of days, according to the database's clock. */
export async function isFailingFor(db: Knex, id: string, days: number): Promise<boolean> {
  return queryValue<boolean>(
    db,
    `select coalesce(bool_or(failing_since <= now() - make_interval(days => ?)), false) as "isLong"
     from webhook_endpoints where id = ?`,
    [days, id],
  );
}

interface EndpointCount {
  readonly state: EndpointState;
  readonly endpoints: number;
}

/** How far deliveries to an endpoint are behind. */
interface EndpointDelay {
  readonly id: string;
  readonly lag: number;
  /** Age of the oldest undelivered event, in seconds; 0 if there is none. */
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

/** Counts endpoints that the service has disabled. Endpoints that staff have paused are not counted. */
export function countDisabled(db: Knex): Promise<number> {
  return queryValue<number>(db, "select count(*) from webhook_endpoints where state = 'disabled'");
}
