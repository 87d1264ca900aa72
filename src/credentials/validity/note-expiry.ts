import { DEFAULT_NOTICES } from "../../configurations/validity-options.js";
import { standingOf } from "../../credential-status.js";
import type { Database } from "../../db/database.js";
import { execute, queryRowOrThrow } from "../../db/query.js";
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
  const payload =
    "select json_build_object('credentialUuid', credential_uuid, 'days', days) as payload from noted";
  await inTransaction(database, signal, (transaction) =>
    execute(
      transaction,
      `with noted as (
         insert into expiry_notices (credential_uuid, days)
         select uuid, due.days
         from credentials
         cross join lateral (
           select min(notice.days::integer) as days
           from jsonb_array_elements_text(coalesce(options -> 'expiry_notices', cast(? as jsonb))) as notice (days)
           where created_at < valid_until - make_interval(days => notice.days::integer)
             and now() >= valid_until - make_interval(days => notice.days::integer)
         ) as due
         where ${isAvailable} and renewed_at is null and erased_at is null and imported_at is null
           and valid_until > now() and valid_until <= now() + interval '366 days' and due.days is not null
           and not exists (select from expiry_notices where credential_uuid = uuid and days = due.days)
         order by valid_until limit ${BATCH}
         on conflict do nothing
         returning credential_uuid, days
       )
       ${enqueueEach("send_expiry_notice", payload)}`,
      [JSON.stringify(DEFAULT_NOTICES)],
    ),
  );
}
