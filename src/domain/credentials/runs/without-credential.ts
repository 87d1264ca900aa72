import { statusSql } from "#foundation/credential-status.js";
import type { Query } from "#infrastructure/db/database.js";
import { type Knex, queryRowOrThrow } from "#infrastructure/db/query.js";
import type { Functions } from "../../configurations/functions.js";
import { type EligibilityRules, readEligibilityRules } from "../../eligibility/eligibility-rules.js";
import { eligibleLearners } from "../../eligibility/eligible-learners.js";
import { readProgressOfAll } from "../../eligibility/learner-progress.js";
import type { Processor } from "../../eligibility/processor.js";
import { type EligibilityEntry, entriesOf } from "../../eligibility/report-eligibility.js";
import { parseLearningContextKey } from "../../learners/learning-context-key.js";
import { printedNameSql } from "../../learners/printed-name.js";
import { findUnread, findWithheld, type Withheld } from "../../learners/withheld.js";
import { hadInvalidated } from "../credential-store.js";
import { readDesign } from "../issuance/credential-design.js";
import { checkContextName, readInputs } from "../issuance/issuance-inputs.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import { learnersToSkip, type SkippedLearner } from "../issuance/learners-to-skip.js";
import { readParticulars } from "../issuance/particulars.js";
import type { SkipReason } from "./issuance-run.js";

/**
 * Why an enrolled learner has no credential. `ready` means that the next run issues one. Only learners on the returned
 * page are checked for texts that can't be printed (`unprintable_name`). All others with such texts count as `ready`.
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
 * Checks all learners who are enrolled in the configuration's context, and lists the learners without a credential,
 * ordered by the bytes of their usernames.
 * @throws Problem `not-found`; `failed-precondition` if the context has no record or a shared text can't be printed
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
  const query = absentQuery(rules, { configurationId, absence }, afterUsername, limit);
  const found = await queryRowOrThrow<{
    readonly counts: Readonly<Record<Absence | "has_credential", number>>;
    readonly page: readonly Absent[];
  }>(transaction, query.sql, query.bindings);
  const { has_credential: has = 0, ...absent } = found.counts;
  const counts = new Map(Object.entries(absent) as [Absence, number][]);
  const entries = await entriesFor(
    transaction,
    functions,
    { configurationId, learningContextKey },
    found.page.flatMap((each) => (each.absence === "not_eligible" ? [each.username] : [])),
  );
  const skipped = await findSkipped(
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
      absence: skipped.get(each.username)?.reason ?? each.absence,
      entry: entries.get(each.username),
    })),
    withheld: await findWithheld(transaction, courseKeys),
    unread: await findUnread(transaction, courseKeys),
  };
}

/** Returns a query for the number of enrolled learners by absence (`counts`), and a page of those without a credential. */
function absentQuery(
  rules: EligibilityRules,
  { configurationId, absence }: AbsentFilter,
  afterUsername: string,
  limit: number,
): Query {
  const eligible = eligibleLearners(rules, "absent");
  return {
    sql: `with enrolled as materialized (
       select learner.username collate "C" as username, ${printedNameSql("learner")} as "fullName",
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
           when "credentialUuid" is null and ${hadInvalidated("?", "absent.username")} then 'withdrawn'
           when "credentialUuid" is null and (
             select claim = 'required' from credential_configurations where id = ?
           ) then 'not_claimed'
           when "fullName" = '' then 'no_full_name'
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
    bindings: [
      configurationId,
      rules.learningContextKey,
      ...eligible.bindings,
      configurationId,
      configurationId,
      afterUsername,
      absence,
      limit,
    ],
  };
}

/** @throws Problem `failed-precondition` if nothing can be issued now */
async function findSkipped(
  transaction: Knex.Transaction,
  deps: Pick<IssuingDeps, "functions" | "settings">,
  configurationId: number,
  ready: readonly Absent[],
): Promise<ReadonlyMap<string, SkippedLearner>> {
  const inputs = ready.length > 0 && (await readInputs(transaction, { configurationId, username: "" }));
  if (!inputs) return new Map();
  const design = await readDesign(transaction, deps, configurationId, checkContextName(inputs));
  design.checkShared();
  const usernames = ready.map(({ username }) => username);
  const particulars = await readParticulars(transaction, usernames, inputs.learningContextKey, design.used);
  const learners = ready.map(({ username, fullName }) => ({
    username,
    userFullName: fullName,
    particulars: particulars.get(username) ?? null,
  }));
  return learnersToSkip(learners, design.checkLearners);
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
