import { statusSql } from "#foundation/credential-status.js";
import type { Database } from "#infrastructure/db/database.js";
import { queryValue } from "#infrastructure/db/query.js";
import { inTransaction } from "#infrastructure/db/transaction.js";
import { DEFAULT_NOTICES } from "../../configurations/validity-options.js";
import { queueEmails } from "./email-store.js";

/** Credentials per transaction. */
const BATCH = 1000;

const { isAvailable } = statusSql();

/**
 * Queues the notices of expiry that are due, each only once, even after a crash. If several were missed, only the last
 * one is sent. A notice that was due before the credential was issued is not sent.
 */
export async function queueExpiryNotices(database: Database, signal: AbortSignal): Promise<void> {
  for (let looked = BATCH; looked === BATCH && !signal.aborted; ) {
    looked = await inTransaction(database, signal, async (transaction) => {
      return queryValue<number>(
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
         ), ${queueEmails("expiry", "select uuid, days from timed where is_notified and days is not null")}
         select count(*) as count from timed`,
        [JSON.stringify(DEFAULT_NOTICES)],
      );
    });
  }
}
