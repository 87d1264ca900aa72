import { statusSql } from "#foundation/credential-status.js";
import { type Knex, queryRowOrThrow } from "#infrastructure/db/query.js";
import type { Functions } from "../../configurations/functions.js";
import { readEligibilityRules } from "../../eligibility/eligibility-rules.js";
import { eligibleLearners } from "../../eligibility/eligible-learners.js";
import { readProgressOfAll } from "../../eligibility/learner-progress.js";
import type { Processor } from "../../eligibility/processor.js";
import { type EligibilityEntry, entriesOf } from "../../eligibility/report-eligibility.js";
import { parseLearningContextKey } from "../../learners/learning-context-key.js";
import { printedName } from "../../learners/printed-name.js";
import { findUnread, findWithheld, type Withheld } from "../../learners/withheld.js";
import { readDesign } from "../issuance/credential-design.js";
import { checkContextName, readInputs } from "../issuance/issuance-inputs.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import { readParticulars } from "../issuance/particulars.js";
import { unprintableNames } from "../issuance/unprintable-names.js";
import type { SkipReason } from "./issuance-run.js";

/**
 * Why an enrolled learner has no credential. `ready` means that the next run issues one. Only learners on the returned
 * page are checked for texts that can't be printed (`unprintable_name`); the counts include the others as `ready`.
 */
export type Absence =
  | "ready"
  | Extract<SkipReason, "not_eligible" | "withdrawn" | "not_claimed" | "no_full_name" | "unprintable_name">;

interface Absent {
  readonly username: string;
  /** The name as printed on credentials. */
  readonly fullName: string;
  readonly absence: Absence;
  /** The requirements that an ineligible learner does not meet. */
  readonly entry?: EligibilityEntry | undefined;
}

/** Counts of enrolled learners without a credential, by reason, and a page of them. */
interface WithoutCredential {
  readonly enrolledCount: number;
  readonly counts: ReadonlyMap<Absence, number>;
  readonly page: readonly Absent[];
  readonly withheld: readonly Withheld[];
  readonly unread: readonly Withheld[];
}

interface AbsentFilter {
  readonly configurationId: number;
  /** Null for all reasons. */
  readonly absence: Absence | null;
}

const credential = statusSql("credential");

/**
 * SQL regular expression for a visible character, almost the same as in `isBlank`. Spaces are listed, because
 * PostgreSQL recognises different ones depending on the locale.
 */
const VISIBLE =
  "[^[:space:]\\u00a0\\u00ad\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\ufeff]";

/**
 * Checks all learners who are enrolled in the configuration's context, and lists the learners without a credential,
 * ordered by the bytes of their usernames.
 * @throws Problem `not-found`
 */
export async function listWithoutCredential(
  transaction: Knex.Transaction,
  deps: Pick<IssuingDeps, "functions" | "settings">,
  { configurationId, absence }: AbsentFilter,
  afterUsername: string,
  limit: number,
): Promise<WithoutCredential> {
  const { functions } = deps;
  const rules = await readEligibilityRules(transaction, functions, configurationId);
  const { learningContextKey } = rules;
  const eligible = eligibleLearners(rules, "absent");
  const found = await queryRowOrThrow<{
    readonly counts: Readonly<Record<Absence | "has_credential", number>>;
    readonly page: readonly Absent[];
  }>(
    transaction,
    `with enrolled as materialized (
       select learner.username collate "C" as username, ${printedName("learner")} as "fullName",
         credential.uuid as "credentialUuid", coalesce(${credential.isGeneratedOrGenerating}, false) as "hasCredential"
       from enrollments enrolment
       join learners learner on learner.username = enrolment.username and not learner.is_deleted
       left join credentials credential on credential.username = learner.username
         and credential.configuration_id = ? and ${credential.isActive}
       where enrolment.learning_context_key = ? and enrolment.is_active and not enrolment.is_deleted
     ), absent as materialized (
       select * from enrolled where not "hasCredential"
     ), eligible as materialized (${eligible.sql}), judged as materialized (
       select absent.username, "fullName",
         case
           when eligible.username is null then 'not_eligible'
           when "credentialUuid" is null and exists (
             select from credentials before where before.username = absent.username
               and before.configuration_id = ? and ${statusSql("before").isInvalidated}
           ) then 'withdrawn'
           when "credentialUuid" is null and (
             select claim = 'required' from credential_configurations where id = ?
           ) then 'not_claimed'
           when "fullName" !~ '${VISIBLE}' then 'no_full_name'
           else 'ready'
         end as absence
       from absent left join eligible on eligible.username = absent.username
     )
     select (
       select json_object_agg(absence, count) from (
         select absence, count(*) from judged group by absence
         union all select 'has_credential', count(*) from enrolled where "hasCredential"
       ) as counted
     ) as counts, (
       select coalesce(json_agg(page order by username), '[]') from (
         select * from judged
         where username > ? and coalesce(absence = ?::text, true)
         order by username limit ?
       ) as page
     ) as page`,
    [
      configurationId,
      learningContextKey,
      ...eligible.bindings,
      configurationId,
      configurationId,
      afterUsername,
      absence,
      limit,
    ],
  );
  const { has_credential: has = 0, ...absent } = found.counts;
  const counts = new Map(Object.entries(absent) as [Absence, number][]);
  const entries = await entriesFor(
    transaction,
    functions,
    { configurationId, learningContextKey },
    found.page.flatMap((each) => (each.absence === "not_eligible" ? [each.username] : [])),
  );
  const unprintable = await findUnprintable(
    transaction,
    deps,
    configurationId,
    found.page.filter((each) => each.absence === "ready"),
  );
  const courseKeys = rules.courses.map(({ courseKey }) => courseKey);
  return {
    enrolledCount: [...counts.values()].reduce((sum, count) => sum + count, has),
    counts,
    page: found.page.map((each) => ({
      ...each,
      ...(unprintable.has(each.username) && { absence: "unprintable_name" }),
      entry: entries.get(each.username),
    })),
    withheld: await findWithheld(transaction, courseKeys),
    unread: await findUnread(transaction, courseKeys),
  };
}

async function findUnprintable(
  transaction: Knex.Transaction,
  deps: Pick<IssuingDeps, "functions" | "settings">,
  configurationId: number,
  ready: readonly Absent[],
): Promise<ReadonlySet<string>> {
  const inputs = ready.length > 0 && (await readInputs(transaction, { configurationId, username: "" }));
  if (!inputs) return new Set();
  const design = await readDesign(transaction, deps, configurationId, checkContextName(inputs));
  const usernames = ready.map(({ username }) => username);
  const particulars = await readParticulars(transaction, usernames, inputs.learningContextKey, design.used);
  const learners = ready.map(({ username, fullName }) => ({
    username,
    userFullName: fullName,
    particulars: particulars.get(username) ?? null,
  }));
  const found = unprintableNames(learners, design.checkLearners);
  return new Set(found.map(({ named }) => named.username));
}

async function entriesFor(
  transaction: Knex.Transaction,
  functions: Functions<Processor>,
  { configurationId, learningContextKey }: { configurationId: number; learningContextKey: string },
  usernames: readonly string[],
): Promise<ReadonlyMap<string, EligibilityEntry>> {
  const key = parseLearningContextKey(learningContextKey);
  const requested = usernames.map((username) => ({ username, learningContextKey, retrievalFunc: "" }));
  const all = await readProgressOfAll(transaction, requested);
  return new Map(
    all.flatMap((progress, index) => {
      const entries = entriesOf(progress, functions, key);
      const entry = entries.find(({ credential }) => credential.configurationId === configurationId);
      return entry ? [[usernames[index] as string, entry]] : [];
    }),
  );
}
