import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import { queryRows } from "#infrastructure/db/query.js";

/** Periods in days for which expiring credentials are counted: those of the default notices. */
const DAYS = [1, 14, 60];

/** Maximum count. A higher number would take longer to count and not be more useful. */
const MOST = 10_000;

/** The number of credentials that expire within a number of days. */
export interface Expiring {
  readonly days: number;
  readonly count: number;
}

/** Counts valid credentials without a successor that expire soon. */
export function countExpiring(db: Knex): Promise<Expiring[]> {
  return queryRows<Expiring>(
    db,
    `select days, (
       select count(*)::float8 from (
         select from credentials
         where valid_until > now() and valid_until <= now() + make_interval(days => days)
           and ${statusSql().isAvailable} and renewed_at is null
         limit ${MOST}
       ) as expiring
     ) as count
     from unnest(?::integer[]) as days`,
    [DAYS],
  );
}
