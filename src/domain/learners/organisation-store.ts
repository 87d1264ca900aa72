import { type Knex, queryRows } from "#infrastructure/db/query.js";
import { organisationIn } from "./organisations.js";

const MAX_LISTED = 1000;

/** An organisation, which is the `org` part of context keys. */
interface ListedOrganisation {
  readonly organisation: string;
  readonly contexts: number;
  readonly hasBrand: boolean;
}

/** Lists organisations that have courses, paths or branding, and the organisations in `named`, in byte order. */
export function listOrganisations(db: Knex, named: readonly string[]): Promise<ListedOrganisation[]> {
  return queryRows<ListedOrganisation>(
    db,
    `select organisation, sum(contexts)::integer as contexts, bool_or(has_brand) as "hasBrand"
     from (
       select ${organisationIn("course_key")} as organisation, count(*) as contexts, false as has_brand
       from courses where not is_deleted group by 1
       union all
       select ${organisationIn("path_key")}, count(*), false from learning_paths where not is_deleted group by 1
       union all
       select organisation, 0, true from brands where organisation <> ''
       union all
       select unnest(?::text[]), 0, false
     ) as known (organisation, contexts, has_brand)
     group by organisation order by organisation collate "C" limit ${MAX_LISTED}`,
    [[...named]],
  );
}
