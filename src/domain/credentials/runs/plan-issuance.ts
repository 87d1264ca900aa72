import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type { Query } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { Functions } from "../../configurations/functions.js";
import { noSuchConfiguration } from "../../configurations/manage-configurations.js";
import { namedCourses } from "../../configurations/requirement-links.js";
import { resultsOf } from "../../eligibility/course-results.js";
import { type EligibilityRules, readEligibilityRules } from "../../eligibility/eligibility-rules.js";
import { eligibleLearners } from "../../eligibility/eligible-learners.js";
import type { Processor } from "../../eligibility/processor.js";
import { unknownRequirements } from "../../eligibility/unknown-requirements.js";
import type { Warning } from "../../eligibility/warning.js";
import { countEnrolled } from "../../learners/access.js";
import { checkFresh } from "../../learners/freshness.js";
import { type GivenFacts, printedFactsOf, type UnprintedFact } from "../given-facts.js";
import {
  type CredentialContent,
  readCreationTime,
  readDesign,
  usedParticulars,
} from "../issuance/credential-design.js";
import { checkContextName, type IssuanceInputs, readInputs } from "../issuance/issuance-inputs.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import { learnersToSkip, type SkippedLearner } from "../issuance/learners-to-skip.js";
import { particularsOf } from "../issuance/particulars.js";
import { formatPlanHash, type PlanHash } from "../plan-hash.js";
import { renewableUntil } from "../renewal/renewable-until.js";
import { dueForRenewal, renewalsEarned } from "../renewal/renewals-earned.js";
import { type IssuancePlan, noneSkipped, type PlannedLearner, type SampleLearner } from "./issuance-run.js";
import * as table from "./plan-table.js";

/** Maximum number of learners in a plan, and of skipped learners. */
const MAX_LEARNERS = 1000;

/** A plan. Until the transaction ends, the table `issuance_plan` contains the learners to issue to. */
export interface PreparedPlan {
  readonly plan: IssuancePlan;
  readonly hash: PlanHash;
  /** Content that all planned credentials share. */
  readonly content: CredentialContent;
  /** Null if the credentials never expire. */
  readonly validUntil: Date | null;
}

interface PlanTarget {
  readonly configurationId: number;
  /** Only learners whose credential failed in this run; null for all. */
  readonly retriedRun: string | null;
  /** Only these learners, without duplicates; null for all. */
  readonly usernames: readonly string[] | null;
  /** Whether to include ineligible learners. */
  readonly skipsEligibility: boolean;
  /** Facts from a list, by username. */
  readonly given?: ReadonlyMap<string, GivenFacts>;
  /** Whether the plan is only shown. If so, the learners' results are not read. */
  readonly isDryRun?: boolean;
  /** Called for every learner, in the order of usernames. The plan itself lists only the first learners. */
  readonly onLearner?: ((learner: PlannedLearner) => void) | undefined;
}

const nothing: Query = { sql: "null::jsonb", bindings: [] };

/**
 * Plans a run for the eligible learners of the target, in one snapshot. Leaves out learners who have a credential that
 * can't be renewed now, and learners whose name or other texts can't be printed. Reads names through a cursor, so
 * memory use is constant.
 * @throws Problem `not-found`; `failed-precondition` if the context has no record or a shared text can't be printed
 */
export async function planIssuance(
  transaction: Knex.Transaction,
  deps: Pick<IssuingDeps, "functions" | "settings">,
  target: PlanTarget,
): Promise<PreparedPlan> {
  const shownCount = target.usernames?.length ?? MAX_LEARNERS;
  const { inputs: unchecked, rules, unprinted, unclaimed } = await fillTable(transaction, deps, target);
  const inputs = checkContextName(unchecked);
  if (!target.skipsEligibility)
    await checkFresh(
      transaction,
      inputs.learningContextKey,
      await namedCourses(transaction, target.configurationId),
    );
  const { content, checkShared, checkLearners, ...design } = await readDesign(
    transaction,
    deps,
    target.configurationId,
    inputs,
  );
  const validUntil = design.validUntil();
  checkShared(); // from here on, only a learner's own text can be refused

  const digest = createHash("sha256").update(JSON.stringify(content));
  if (target.skipsEligibility) digest.update("\nskips eligibility");
  const planned = collectLearners();
  const skippedLearners: SkippedLearner[] = [];
  const counts = { issue: 0, retry: 0, no_full_name: 0, unprintable_name: 0 };

  for await (const learners of table.readCandidates(transaction)) {
    const skipped = learnersToSkip(learners, checkLearners);
    const lines: string[] = [];
    for (const learner of learners) {
      const reason = skipped.get(learner.username)?.reason;
      const { username, userFullName } = learner;
      target.onLearner?.({ username, userFullName, detail: skipped.get(username)?.detail });
      lines.push(`\n${JSON.stringify(reason ? { username, reason } : printedOf(learner))}`);
      if (reason) {
        counts[reason]++;
        continue;
      }
      counts.issue++;
      if (learner.hasFailed) counts.retry++;
      planned.add({ username, userFullName });
    }
    digest.update(lines.join(""));
    skippedLearners.push(...[...skipped.values()].slice(0, shownCount - skippedLearners.length));
    await table.removeLearners(transaction, [...skipped.keys()]);
  }

  const { issue: issueCount, retry: retryCount, ...skippedForName } = counts;
  const refusedCount = Object.values(skippedForName).reduce((total, count) => total + count);
  const hash = { count: issueCount, refusedCount, digest: digest.digest("hex") };
  const skipped = {
    ...noneSkipped,
    ...(await table.countSkipped(transaction)),
    not_claimed: unclaimed,
    ...skippedForName,
  };
  const plan = {
    hash: formatPlanHash(hash),
    issueCount,
    learners: planned.first,
    enrolledCount: isForAll(target) ? await countEnrolled(transaction, inputs.learningContextKey) : 0,
    retryCount,
    skipped,
    skippedLearners,
    warnings: [
      ...unprinted.map(unprintedWarning),
      ...(target.skipsEligibility ? [] : await unknownRequirements(transaction, rules, "planned")),
    ],
    listedLearners: [],
    samples: planned.samples(),
  };
  return { plan, hash, content, validUntil };
}

/** Collects the first learners of a plan, and its samples: the first, the one with the longest name, and the last. */
function collectLearners() {
  const first: SampleLearner[] = [];
  let [longest, last]: (SampleLearner | undefined)[] = [];
  return {
    first,
    add(learner: SampleLearner): void {
      last = learner;
      if (!longest || learner.userFullName.length > longest.userFullName.length) longest = learner;
      if (first.length < MAX_LEARNERS) first.push(learner);
    },
    samples: () => [...new Set([first[0], longest, last])].filter((each) => each !== undefined),
  };
}

/** Returns the values of a learner that the credential prints. */
function printedOf({ username, userFullName, particulars, awarded }: table.Candidate): object {
  return { username, userFullName, ...(particulars && { particulars }), ...(awarded && { awarded }) };
}

interface Basis {
  readonly inputs: IssuanceInputs;
  readonly rules: EligibilityRules;
}

function unprintedWarning({ kind, name }: UnprintedFact): Warning {
  const fact = kind === "unprinted_attribute" ? `the attribute ${name}` : (factsInWords[name] ?? name);
  const text = `The list contains ${fact}, which the design does not print. The design's options facts and text_elements determine what is printed.`;
  return { kind, name, text };
}

const factsInWords: Readonly<Record<string, string>> = {
  grade: "a grade",
  letter_grade: "a letter_grade",
  learner_id: "a learner_id",
};

/**
 * Fills the table with one statement, so that eligibility and names come from one snapshot. If the configuration or the
 * eligibility rules change during the statement, the statement is repeated.
 */
async function fillTable(
  transaction: Knex.Transaction,
  { functions, settings }: Pick<IssuingDeps, "functions" | "settings">,
  target: PlanTarget,
): Promise<Basis & { readonly unprinted: readonly UnprintedFact[]; readonly unclaimed: number }> {
  await table.create(transaction);
  const now = await readCreationTime(transaction);
  for (let before = await readBasis(transaction, functions, target); ; ) {
    const used = usedParticulars(functions, before.inputs);
    const particulars = particularsOf("eligible.username", before.inputs.learningContextKey, used);
    const options = mergeOptions(before.inputs.typeOptions, before.inputs.options);
    const results = target.isDryRun ? nothing : resultsOf("eligible.username", before.rules);
    const facts = { particulars, results };
    const until = renewableUntil(options, now, settings.timeZone);
    const earnedAgain =
      until && !target.skipsEligibility
        ? renewalsEarned(options, before.rules, dueForRenewal(target.configurationId, until))
        : null;
    await table.fill(transaction, plannedFor(before.rules, target), facts, {
      ...target,
      renewableUntil: until,
      earnedAgain,
    });
    const { rows, unprinted } = printedFactsOf(target.given ?? new Map(), used, settings.timeZone);
    await table.give(transaction, rows);
    const awaitsClaims = before.inputs.claim === "required" && isForAll(target);
    const unclaimed = awaitsClaims ? await table.leaveOutUnclaimed(transaction) : 0;
    const after = await readBasis(transaction, functions, target);
    if (isDeepStrictEqual(before, after)) return { ...before, unprinted, unclaimed };
    before = after;
  }
}

function isForAll({ usernames, retriedRun }: PlanTarget): boolean {
  return usernames === null && retriedRun === null;
}

function plannedFor(rules: EligibilityRules, { usernames, skipsEligibility }: PlanTarget): Query {
  const eligible = skipsEligibility
    ? { sql: "select username from learners where not is_deleted", bindings: [] }
    : eligibleLearners(rules);
  if (usernames === null) return eligible;
  return {
    sql: `select username from (${eligible.sql}) as anyone where username = any (?::text[])`,
    bindings: [...eligible.bindings, usernames],
  };
}

async function readBasis(
  transaction: Knex.Transaction,
  functions: Functions<Processor>,
  { configurationId }: { readonly configurationId: number },
): Promise<Basis> {
  const inputs = await readInputs(transaction, { configurationId, username: "" });
  if (!inputs) throw noSuchConfiguration(configurationId);
  return { inputs, rules: await readEligibilityRules(transaction, functions, configurationId) };
}
