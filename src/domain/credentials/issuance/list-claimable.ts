import { statusSql } from "#foundation/credential-status.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import type { Functions } from "../../configurations/functions.js";
import { readProgressOfAll } from "../../eligibility/learner-progress.js";
import type { Processor } from "../../eligibility/processor.js";
import { type EligibilityEntry, entriesOf } from "../../eligibility/report-eligibility.js";
import { isEnrolled } from "../../learners/access.js";
import { parseLearningContextKey } from "../../learners/learning-context-key.js";
import { hadInvalidated } from "../credential-store.js";

/** Maximum number of configurations whose requirements are evaluated. */
const MAX_CLAIMABLE = 100;

/** A credential that a learner can claim once its requirements are met. */
interface Claimable {
  readonly learningContextKey: string;
  /** Empty if the context has no record. */
  readonly learningContextName: string;
  readonly entry: EligibilityEntry;
}

const credential = statusSql("credential");

/**
 * Lists the configurations under which the learner can claim a credential, in contexts where the learner is actively
 * enrolled. Leaves out configurations under which the learner has a credential, or had one that was withdrawn.
 * Configurations whose requirements are met come first, ordered by id.
 */
export async function listClaimable(
  transaction: Knex.Transaction,
  functions: Functions<Processor>,
  username: string,
): Promise<Claimable[]> {
  const found = await queryRows<{ id: number; learningContextKey: string; learningContextName: string }>(
    transaction,
    `select configuration.id, configuration.learning_context_key as "learningContextKey",
       coalesce(course.display_name, path.display_name, '') as "learningContextName"
     from (select ?::text as username) as requested
     join credential_configurations configuration
       on configuration.claim <> 'never' and ${isEnrolled("configuration.learning_context_key")}
     left join courses course on course.course_key = configuration.learning_context_key and not course.is_deleted
     left join learning_paths path on path.path_key = configuration.learning_context_key and not path.is_deleted
     left join credentials credential on credential.configuration_id = configuration.id
       and credential.username = requested.username and ${credential.isActive}
     where ${credential.isGeneratedOrGenerating} is not true
       and (credential.id is not null or not ${hadInvalidated("configuration.id", "requested.username")})
     order by configuration.id limit ${MAX_CLAIMABLE}`,
    [username],
  );
  const keys = [...new Set(found.map(({ learningContextKey }) => learningContextKey))];
  const requested = keys.map((learningContextKey) => ({ username, learningContextKey, retrievalFunc: "" }));
  const all = await readProgressOfAll(transaction, requested);
  const entries = new Map(
    all.flatMap((progress, index) =>
      entriesOf(progress, functions, parseLearningContextKey(keys[index] as string)).map(
        (entry) => [entry.credential.configurationId, entry] as const,
      ),
    ),
  );
  const claimable = found.flatMap(({ id, ...context }) => {
    const entry = entries.get(id);
    return entry ? [{ ...context, entry }] : [];
  });
  const isMet = ({ entry }: Claimable) => entry.progress.isEligible;
  return [...claimable.filter(isMet), ...claimable.filter((each) => !isMet(each))];
}
