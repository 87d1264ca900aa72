import type { Knex } from "knex";
import { queryRows } from "../db/query.js";

/** What a connector could not know yet of a course, as its last sweep says. */
export interface Withheld {
  readonly connector: string;
  readonly courseKey: string;
  /** In English, such as which assignment types, and why. It names no learner. */
  readonly what: string;
}

/** Returns what connectors withhold of these courses: results that they don't know wholly. */
export async function findWithheld(db: Knex, courseKeys: readonly string[]): Promise<Withheld[]> {
  return queryRows<Withheld>(
    db,
    `select connector, scope as "courseKey", error as what
     from (
       select connector, max(id) as id from connector_sweeps where state <> 'running' group by connector
     ) as last join connector_stages on sweep_id = last.id
     where connector_stages.state = 'complete' and error <> '' and scope = any (?::text[])
     order by connector, scope, stage`,
    [courseKeys],
  );
}
