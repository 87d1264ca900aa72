import { statusSql } from "#foundation/credential-status.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { queryValue } from "#infrastructure/db/query.js";
import { WORKER } from "#infrastructure/identity/actors.js";
import { appendEach } from "../events/append-events.js";

/** Number of credentials per transaction. */
const BATCH = 1000;

const { isAvailable } = statusSql();

/**
 * Appends one event for each expired credential. The event may be late: a credential expires by the clock, even without
 * an event.
 */
export async function noteExpired(database: Database, signal: AbortSignal): Promise<void> {
  for (let noted = BATCH; noted === BATCH && !signal.aborted; ) {
    noted = await inTransaction(database, signal, async (transaction) => {
      return queryValue<number>(
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
    });
  }
}
