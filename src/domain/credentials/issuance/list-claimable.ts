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

/** How a credential is issued to learners who don't claim it. */
export type OfferIssuance = "when_earned" | "scheduled" | "by_staff";

interface Offer {
  readonly learningContextKey: string;
  readonly learningContextName: string;
  /** Null if the credential is issued only when claimed. */
  readonly issuance: OfferIssuance | null;
  /** Only if `issuance` is `scheduled`; null if the last run couldn't be started, or if a run is due. */
  readonly nextRunAt: Date | null;
}

/** A credential that a learner can earn. */
interface Claimable extends Offer {
  readonly entry: EligibilityEntry;
}

const credential = statusSql("credential");

/**
 * Lists the configurations under which the learner can claim a credential, in contexts where the learner is actively
 * enrolled. Leaves out configurations under which the learner has a credential, or had one that was withdrawn.
 * Configurations whose requirements are met come first, ordered by id. If there are more than `MAX_CLAIMABLE`, the
 * service evaluates those that can be claimed first, in order of their ids, and leaves the others out.
 * @param options.includesUnclaimable whether to include credentials that can't be claimed, unless
 * their schedule is disabled or has ended
 */
export async function listClaimable(
  transaction: Knex.Transaction,
  functions: Functions<Processor>,
  username: string,
  { includesUnclaimable }: { readonly includesUnclaimable: boolean },
): Promise<Claimable[]> {
  const found = await queryRows<Offer & { readonly id: number }>(
    transaction,
    `select configuration.id, configuration.learning_context_key as "learningContextKey",
       coalesce(course.display_name, path.display_name) as "learningContextName",
       case
         when configuration.claim = 'required' then null
         when automatic.configuration_id is not null then 'when_earned'
         when schedule.next_run_at is not null then 'scheduled'
         else 'by_staff'
       end as issuance,
       case
         when configuration.claim <> 'required' and automatic.configuration_id is null
           and schedule.last_error = '' and schedule.next_run_at > now()
         then schedule.next_run_at
       end as "nextRunAt"
     from (select ?::text as username) as requested
     join learners learner on learner.username = requested.username and not learner.is_deleted
     join credential_configurations configuration on ${isEnrolled("configuration.learning_context_key")}
     left join automatic_configurations automatic on automatic.configuration_id = configuration.id
     left join credential_schedules schedule on schedule.configuration_id = configuration.id
     left join courses course on course.course_key = configuration.learning_context_key and not course.is_deleted
     left join learning_paths path on path.path_key = configuration.learning_context_key and not path.is_deleted
     left join credentials credential on credential.configuration_id = configuration.id
       and credential.username = requested.username and ${credential.isActive}
     where coalesce(course.course_key, path.path_key) is not null
       and (configuration.claim <> 'never' or ?::boolean and (
         automatic.configuration_id is not null or schedule.configuration_id is null or schedule.next_run_at is not null
       ))
       and ${credential.isGeneratedOrGenerating} is not true
       and (credential.id is not null or not ${hadInvalidated("configuration.id", "requested.username")})
     order by configuration.claim = 'never', configuration.id limit ${MAX_CLAIMABLE}`,
    [username, includesUnclaimable],
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
  const claimable = found.flatMap(({ id, ...offer }) => {
    const entry = entries.get(id);
    return entry ? [{ ...offer, entry }] : [];
  });
  const isMet = ({ entry }: Claimable) => entry.progress.isEligible;
  return [...claimable.filter(isMet), ...claimable.filter((each) => !isMet(each))];
}
