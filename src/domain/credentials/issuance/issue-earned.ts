import type { Logger } from "pino";
import type { Particulars } from "#formats/rendering/generator.js";
import { Problem } from "#foundation/errors.js";
import { queryRows } from "#infrastructure/db/query.js";
import { SCHEDULE } from "#infrastructure/identity/actors.js";
import { automaticConfigurationsHolding } from "../../configurations/automatic-issuing.js";
import { namedCourses } from "../../configurations/requirement-links.js";
import { type Results, resultsOf } from "../../eligibility/course-results.js";
import { readEligibilityRules } from "../../eligibility/eligibility-rules.js";
import { eligibleLearners } from "../../eligibility/eligible-learners.js";
import { checkFresh } from "../../learners/freshness.js";
import { inSavepoint, type LearnerTransaction } from "../../learners/learner-transaction.js";
import { printedNameSql } from "../../learners/printed-name.js";
import { readDesign, usedParticulars } from "./credential-design.js";
import { insertCredentials, rowsQuery } from "./insert-credentials.js";
import { checkContextName, readInputs } from "./issuance-inputs.js";
import type { IssuingDeps } from "./issuing-deps.js";
import { learnersToSkip } from "./learners-to-skip.js";
import { particularsOf } from "./particulars.js";

type Deps = Pick<IssuingDeps, "functions" | "settings">;

interface IssuedTo {
  readonly configurationId: number;
  readonly usernames: readonly string[];
  /** Default: false (learners get an email when their credentials become available). */
  readonly skipsEmail?: boolean;
}

const BATCH = 1000;

/**
 * Issues to eligible learners who have never had a credential of the configuration. Learners whose name can't be
 * printed are skipped; the next run reports them. Credentials that must be claimed are not issued.
 * @param options.among only these learners; undefined for all
 * @returns the learners to whom credentials were issued
 * @throws Problem `failed-precondition` if nothing can be issued now
 */
export async function issueEarned(
  transaction: LearnerTransaction,
  deps: Deps,
  configurationId: number,
  { among, skipsEmail = false }: { readonly among?: readonly string[]; readonly skipsEmail?: boolean } = {},
): Promise<string[]> {
  const unchecked = await readInputs(transaction, { configurationId, username: "" });
  if (!unchecked || unchecked.claim === "required") return [];
  const inputs = checkContextName(unchecked);
  const { learningContextKey } = inputs;
  await checkFresh(transaction, learningContextKey, await namedCourses(transaction, configurationId));
  const rules = await readEligibilityRules(transaction, deps.functions, configurationId);
  const eligible = eligibleLearners(rules, "candidates");
  const learners = await queryRows<{ username: string; userFullName: string }>(
    transaction,
    `with candidates as materialized (
       select username from enrollments enrolment
       where learning_context_key = ? and is_active and not is_deleted
         and (?::text[] is null or username = any (?::text[]))
         and not exists (
           select from credentials credential
           where credential.username = enrolment.username and credential.configuration_id = ?
         )
     )
     select learner.username, ${printedNameSql("learner")} as "userFullName"
     from (${eligible.sql}) as eligible join learners learner on learner.username = eligible.username
     order by learner.username collate "C"`,
    [learningContextKey, among ?? null, among ?? null, configurationId, ...eligible.bindings],
  );
  if (learners.length === 0) return [];
  const design = await readDesign(transaction, deps, configurationId, inputs);
  design.checkShared();
  const particulars = particularsOf(
    "learner.username",
    learningContextKey,
    usedParticulars(deps.functions, inputs),
  );
  const results = resultsOf("learner.username", rules);
  const validUntil = design.validUntil();
  const issued: string[] = [];
  for (let at = 0; at < learners.length; at += BATCH) {
    const some = learners.slice(at, at + BATCH);
    const facts = await queryRows<{
      username: string;
      particulars: Particulars | null;
      results: Results | null;
    }>(
      transaction,
      `select learner.username, ${particulars.sql} as particulars, ${results.sql} as results
       from unnest(?::text[]) with ordinality as learner (username, position) order by learner.position`,
      [...particulars.bindings, ...results.bindings, some.map(({ username }) => username)],
    );
    const rows = facts.map((fact, index) => ({
      ...fact,
      userFullName: some[index]?.userFullName ?? "",
      validUntil,
    }));
    const skipped = learnersToSkip(rows, design.checkLearners);
    const printable = rows.filter(({ username }) => !skipped.has(username));
    await insertCredentials(
      transaction,
      { ...design.content, issuedBy: SCHEDULE, runId: null, skipsEmail },
      rowsQuery(printable),
    );
    issued.push(...printable.map(({ username }) => username));
  }
  return issued;
}

/**
 * Issues credentials that require the credentials just issued, then credentials that require these,
 * and so on. If a credential can't be issued, a later run can issue it; the others stay issued.
 */
export async function issueStack(
  transaction: LearnerTransaction,
  deps: Deps & { readonly log?: Logger },
  issued: IssuedTo,
): Promise<void> {
  for (const queue: IssuedTo[] = [issued]; ; ) {
    const part = queue.shift();
    if (!part) return;
    if (part.usernames.length === 0) continue;
    for (const configurationId of await automaticConfigurationsHolding(transaction, [part.configurationId])) {
      const usernames = await inSavepoint(transaction, (savepoint) =>
        issueEarned(savepoint, deps, configurationId, { ...part, among: part.usernames }),
      ).catch((error) => {
        if (!(error instanceof Problem)) throw error;
        deps.log?.warn(
          { err: error, configurationId },
          "credential that requires others could not be issued",
        );
        return [];
      });
      queue.push({ ...part, configurationId, usernames });
    }
  }
}
