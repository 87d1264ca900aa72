import { type Knex, queryRows } from "#infrastructure/db/query.js";

/** Data about a course that a connector couldn't determine in its last sweep. */
export interface Withheld {
  readonly connector: string;
  readonly courseKey: string;
  /** Which data, and why, in English. Names no learner. */
  readonly what: string;
}

/** SQL for `from`: the stages of each connector's last finished sweep. */
const lastStages = `(
    select connector, max(id) as id from connector_sweeps where state <> 'running' group by connector
  ) as last join connector_stages on sweep_id = last.id`;

/** Returns which results connectors left out in their last sweep, because the results were incomplete. */
export async function findWithheld(db: Knex, courseKeys: readonly string[]): Promise<Withheld[]> {
  return queryRows<Withheld>(
    db,
    `select connector, scope as "courseKey", error as what
     from ${lastStages}
     where connector_stages.state = 'complete' and error <> '' and scope = any (?::text[])
     order by connector, scope, stage`,
    [courseKeys],
  );
}

/**
 * Returns the courses that could not be read in the last attempt, or were never read completely. Their enrolments and
 * grades may be outdated. An LTI platform is listed as `lti:` and its number.
 */
export async function findUnread(db: Knex, courseKeys: readonly string[]): Promise<Withheld[]> {
  const keys = [...courseKeys];
  return queryRows<Withheld>(
    db,
    `select connector, scope as "courseKey", error as what
     from ${lastStages}
     where connector_stages.state = 'failed' and scope = any (?::text[])
     union all
     select connector, context_key, 'It was never read to its end, so nothing is issued in it.'
     from connector_contexts where complete_at is null and context_key = any (?::text[])
     union all
     select 'lti:' || registration_id, context_key, roster_problem
     from lti_contexts where roster_problem <> '' and context_key = any (?::text[])
     order by 1, 2, 3`,
    [keys, keys, keys],
  );
}
