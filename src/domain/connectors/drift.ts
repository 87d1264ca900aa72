import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import type { Database } from "#infrastructure/db/database.js";
import { queryRows } from "#infrastructure/db/query.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import type { Functions } from "../configurations/functions.js";
import { readEligibilityRules } from "../eligibility/eligibility-rules.js";
import { eligibleLearners } from "../eligibility/eligible-learners.js";
import type { Processor } from "../eligibility/processor.js";

/** A credential that differs from the platform's current data. */
export interface Drifted {
  readonly uuid: string;
  readonly configurationId: number;
  readonly reasons: readonly DriftReason[];
}

export type DriftReason =
  | "no_longer_eligible"
  | "name_differs"
  | "context_name_differs"
  | "learner_inactive"
  | "no_learner_record";

/** Maximum number listed for one configuration. */
const MAX_DRIFTED = 1000;

const { isAvailable, isInForce } = statusSql("credential");

/**
 * Compares available credentials with current records, in the courses and paths that a connector reads. Changes
 * nothing: people decide whether to withdraw or reissue a credential.
 */
export async function* findDrift(
  database: Database,
  functions: Functions<Processor>,
  connector: string,
  signal: AbortSignal,
): AsyncGenerator<Drifted> {
  const configurations = await queryRows<{ id: number }>(
    database.knex,
    `select configuration.id from credential_configurations configuration
     join connector_contexts context on context.context_key = configuration.learning_context_key
     where context.connector = ? and not context.is_excluded order by configuration.id`,
    [connector],
  );
  for (const { id } of configurations) yield* await inSnapshot(database, signal, readDrift(functions, id));
}

function readDrift(functions: Functions<Processor>, configurationId: number) {
  return async (transaction: Knex.Transaction): Promise<Drifted[]> => {
    const eligible = eligibleLearners(await readEligibilityRules(transaction, functions, configurationId));
    return queryRows<Drifted>(
      transaction,
      `with eligible as (${eligible.sql})
       select uuid, configuration_id as "configurationId", reasons from (
         select credential.uuid, credential.configuration_id, credential.id, array_remove(array[
           case when eligible.username is null then 'no_longer_eligible' end,
           case when learner.username is null then 'no_learner_record' end,
           case when learner.full_name <> credential.user_full_name then 'name_differs' end,
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
       where cardinality(reasons) > 0 order by id limit ${MAX_DRIFTED}`,
      [...eligible.bindings, configurationId],
    );
  };
}
