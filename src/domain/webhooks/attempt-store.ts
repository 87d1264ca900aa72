import { execute, type Knex, query, queryRows } from "#infrastructure/db/query.js";
import type { NewWebhookAttempt, WebhookAttempt } from "./webhook-attempt.js";

/** Number of days for which attempts are kept. */
const ATTEMPT_RETENTION_DAYS = 30;

const BATCH = 10_000;

export async function insertAttempts(
  db: Knex,
  endpointId: string,
  attempts: readonly NewWebhookAttempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  await query(
    db,
    "insert_webhook_attempts",
    `insert into webhook_attempts
       (endpoint_id, kind, first_position, last_position, attempt, at, ms, outcome, status, error)
     select ?::uuid, kind, "firstPosition", "lastPosition", attempt, at, ms, outcome, status, error
     from json_to_recordset(?::json) as attempt (
       kind text, "firstPosition" bigint, "lastPosition" bigint, attempt integer, at timestamptz, ms integer,
       outcome text, status smallint, error text
     )`,
    [endpointId, JSON.stringify(attempts)],
  );
}

/** An earlier attempt to deliver events, some of which are still undelivered. */
interface RememberedAttempt {
  readonly firstPosition: number;
  readonly lastPosition: number;
  /** Whether the events were delivered or skipped. */
  readonly isDone: boolean;
}

/** Reads attempts after a position. Leaves out attempts from before a replay. */
export function readAttemptsAfter(
  db: Knex,
  endpointId: string,
  position: number,
): Promise<RememberedAttempt[]> {
  return queryRows<RememberedAttempt>(
    db,
    `select first_position as "firstPosition", last_position as "lastPosition",
       outcome in ('delivered', 'skipped') as "isDone"
     from webhook_attempts
     where endpoint_id = ? and kind = 'events' and last_position > ?
       and id > (select forgets_up_to from webhook_endpoints where id = endpoint_id)
     order by id`,
    [endpointId, position],
  );
}

/** Lists attempts, newest first. @param beforeId 0 to start from the newest attempt */
export function listAttempts(
  db: Knex,
  { endpointId, failuresOnly }: { readonly endpointId: string; readonly failuresOnly: boolean },
  beforeId: number,
  limit: number,
): Promise<WebhookAttempt[]> {
  return queryRows<WebhookAttempt>(
    db,
    `select id, kind, first_position as "firstPosition", last_position as "lastPosition", attempt, at, ms, outcome,
       status, error
     from webhook_attempts
     where endpoint_id = :endpointId and (:beforeId = 0 or id < :beforeId)
       and (not :failuresOnly or outcome <> 'delivered')
     order by id desc limit :limit`,
    { endpointId, beforeId, failuresOnly, limit },
  );
}

/** Removes old attempts, except attempts that record the state of undelivered events. */
export async function removeOldAttempts(db: Knex, signal: AbortSignal): Promise<void> {
  for (let removed = BATCH; removed === BATCH && !signal.aborted; ) {
    removed = await execute(
      db,
      `delete from webhook_attempts where id in (
         select attempt.id from webhook_attempts as attempt
         join webhook_endpoints as endpoint on endpoint.id = endpoint_id
         where at < now() - make_interval(days => ${ATTEMPT_RETENTION_DAYS})
           and (last_position is null or last_position <= delivered_up_to)
         limit ${BATCH}
       )`,
    );
  }
}
