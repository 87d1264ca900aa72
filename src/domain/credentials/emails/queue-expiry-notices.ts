import { statusSql } from "#foundation/credential-status.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { queryValue } from "#infrastructure/db/query.js";
import { DEFAULT_NOTICES } from "../../configurations/validity-options.js";
import { queueEmails } from "./email-store.js";

/** Number of credentials per transaction. */
const BATCH = 1000;

const { isAvailable } = statusSql();

/**
 * Queues expiry notices that are due. Each notice is queued only once. If a credential has missed several notices, only
 * the last one is sent. Notices that were due before the credential was issued are not sent.
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
