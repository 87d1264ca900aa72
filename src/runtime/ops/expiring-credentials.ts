import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import { queryRows } from "#infrastructure/db/query.js";

/** Days ahead for which credentials are counted: those of the usual notices. */
const DAYS = [1, 14, 60];

/** Counting stops here: a larger figure would say no more, and take longer. */
const MOST = 10_000;

/** How many credentials expire within so many days. */
export interface Expiring {
  readonly days: number;
  readonly count: number;
}

/** Counts credentials that are valid now, have no successor, and expire soon. */
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
