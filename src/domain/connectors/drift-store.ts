import { statusSql } from "#foundation/credential-status.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import type { eligibleLearners } from "../eligibility/eligible-learners.js";
import { printedNameSql } from "../learners/printed-name.js";

export interface DriftedCredential {
  readonly uuid: string;
  readonly configurationId: number;
  readonly reasons: readonly DriftReason[];
}

type DriftReason =
  | "no_longer_eligible"
  | "name_differs"
  | "context_name_differs"
  | "learner_inactive"
  | "no_learner_record";

const { isAvailable, isInForce } = statusSql("credential");

/** Compares available credentials with current records. */
export function listDrifted(
  db: Knex,
  configurationId: number,
  eligible: ReturnType<typeof eligibleLearners>,
  limit: number,
): Promise<DriftedCredential[]> {
  return queryRows<DriftedCredential>(
    db,
    `with eligible as (${eligible.sql})
     select uuid, configuration_id as "configurationId", reasons from (
       select credential.uuid, credential.configuration_id, credential.id, array_remove(array[
         case when eligible.username is null then 'no_longer_eligible' end,
         case when learner.username is null then 'no_learner_record' end,
         case when ${printedNameSql("learner")} <> credential.user_full_name then 'name_differs' end,
         case when not learner.is_active then 'learner_inactive' end,
         case when coalesce(course.display_name, path.display_name) <> credential.learning_context_name
           then 'context_name_differs' end
       ], null) as reasons
       from credentials credential
       left join eligible on eligible.username = credential.username
       left join learners learner on learner.username = credential.username and not learner.is_deleted
       left join courses course
         on course.course_key = credential.learning_context_key and not course.is_deleted
       left join learning_paths path
         on path.path_key = credential.learning_context_key and not path.is_deleted
       where credential.configuration_id = ? and ${isAvailable} and ${isInForce} and credential.erased_at is null
     ) as compared
     where cardinality(reasons) > 0 order by id limit ?`,
    [...eligible.bindings, configurationId, limit],
  );
}
