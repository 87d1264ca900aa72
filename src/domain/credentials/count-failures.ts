import { statusSql } from "#foundation/credential-status.js";
import { type Knex, queryRowOrThrow } from "#infrastructure/db/query.js";

const { isFailed } = statusSql();

/** Counting stops at this number. */
const MAX_COUNTED = 10_000;

interface Failures {
  /** Credentials whose document could not be generated. */
  readonly credentials: number;
  /** Emails of the last 30 days that were refused or abandoned. */
  readonly emails: number;
}

export function countFailures(db: Knex): Promise<Failures> {
  return queryRowOrThrow<Failures>(
    db,
    `select
       (select count(*)::integer from (
          select from credentials where ${isFailed} limit ${MAX_COUNTED}
        ) as failed) as credentials,
       (select count(*)::integer from (
          select from credential_mails
          where is_unsent and state = 'refused' and changed_at > now() - interval '30 days' limit ${MAX_COUNTED}
        ) as refused) as emails`,
  );
}
