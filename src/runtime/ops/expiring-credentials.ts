import { statusSql } from "#foundation/credential-status.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";

/** The periods in days. They match the default expiry notices. */
const DAYS = [1, 14, 60];

/** Maximum count. Counting further would take longer and tell operators nothing more. */
const MAX_COUNT = 10_000;

interface Expiring {
  readonly days: number;
  readonly count: number;
}

/** Counts valid credentials that expire within each of the periods and have not been renewed. */
export function countExpiring(db: Knex): Promise<Expiring[]> {
  return queryRows<Expiring>(
    db,
    `select days, (
       select count(*)::float8 from (
         select from credentials
         where valid_until > now() and valid_until <= now() + make_interval(days => days)
           and ${statusSql().isAvailable} and renewed_at is null
         limit ${MAX_COUNT}
       ) as expiring
     ) as count
     from unnest(?::integer[]) as days`,
    [DAYS],
  );
}
