import { DEFAULT_NOTICES } from "../../configurations/validity-options.js";
import { standingOf } from "../../credential-status.js";
import type { Database } from "../../db/database.js";
import { queryRowOrThrow } from "../../db/query.js";
import { inTransaction } from "../../db/transaction.js";
import { WORKER } from "../../identity/actors.js";
import { enqueueEach } from "../../jobs/enqueue.js";
import { appendEach } from "../events/append-events.js";

/** Credentials per transaction. */
const BATCH = 1000;

const { isAvailable } = standingOf();

/** Writes the event of each credential that has expired, once. Nobody waits for it: the clock alone says what has expired. */
export async function noteExpired(database: Database, signal: AbortSignal): Promise<void> {
  for (let noted = BATCH; noted === BATCH && !signal.aborted; ) {
    noted = await inTransaction(database, signal, async (transaction) => {
      const { count } = await queryRowOrThrow<{ count: number }>(
        transaction,
        `with expired as (
           update credentials set expiry_noted_at = now()
           where id in (
             select id from credentials
             where ${isAvailable} and valid_until <= now() and expiry_noted_at is null
             order by valid_until limit ${BATCH} for update skip locked
           )
           returning uuid, configuration_id
         ), events as (
           ${appendEach("expired", { type: "expired", actor: "?, ?", before: "'available'", after: "available" })}
         )
         select count(*) as count from expired`,
        [WORKER.name, WORKER.kind],
      );
      return count;
    });
  }
}

/**
 * Puts the notices on their way whose time has come, each with its job in one transaction, and so once, whatever dies. Of several
 * that were missed, the last is sent. One whose time had come before the credential was issued is not sent.
 */
export async function enqueueNotices(database: Database, signal: AbortSignal): Promise<void> {
  for (let looked = BATCH; looked === BATCH && !signal.aborted; ) {
    looked = await inTransaction(database, signal, async (transaction) => {
      const { count } = await queryRowOrThrow<{ count: number }>(
        transaction,
        `with due as (
           select uuid, created_at, valid_until, options -> 'expiry_notices' as notices,
             valid_until > now() and renewed_at is null and erased_at is null and imported_at is null as is_notified
           from credentials
           where ${isAvailable} and valid_until is not null and notice_due_at <= now()
           order by notice_due_at limit ${BATCH} for update skip locked
         ), timed as (
           select uuid, is_notified, min(days) filter (where time <= now()) as days, min(time) filter (where time > now()) as next
           from due
           left join lateral (
             select days::integer, valid_until - make_interval(days => days::integer) as time
             from jsonb_array_elements_text(coalesce(notices, cast(? as jsonb))) as days
           ) as notice on time > created_at
           group by uuid, is_notified
         ), looked as (
           update credentials set notice_due_at = next from timed where credentials.uuid = timed.uuid
         ), noted as (
           insert into expiry_notices (credential_uuid, days)
           select uuid, days from timed where is_notified and days is not null
           on conflict do nothing
           returning credential_uuid, days
         ), enqueued as (
           ${enqueueEach("send_expiry_notice", "select json_build_object('credentialUuid', credential_uuid, 'days', days) as payload from noted")}
         )
         select count(*) as count from timed`,
        [JSON.stringify(DEFAULT_NOTICES)],
      );
      return count;
    });
  }
}
