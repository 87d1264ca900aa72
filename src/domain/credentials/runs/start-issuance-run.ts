import { randomUUID } from "node:crypto";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { waitForLocks } from "#infrastructure/db/database.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { inLearnerTransaction, type LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Organisations } from "../../learners/organisations.js";
import type { GivenFacts } from "../given-facts.js";
import { insertCredentials } from "../issuance/insert-credentials.js";
import { readInputs } from "../issuance/issuance-inputs.js";
import { issueStack } from "../issuance/issue-earned.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import { type PlanWords, parsePlanHash, refuseChangedPlan } from "../plan-hash.js";
import { gradesOnScale } from "./grades-on-scale.js";
import type { IssuancePlan, IssuanceRun, PlannedLearner } from "./issuance-run.js";
import { closeList, type ListedRow, openList } from "./learner-list.js";
import { type PreparedPlan, planIssuance } from "./plan-issuance.js";
import { hasRenewals, planned, renewPlanned } from "./plan-table.js";
import { endRuns, findRun, insertRun, learnersOfRun, lockRunsOf } from "./run-store.js";

type PlanningDeps = Pick<IssuingDeps, "functions" | "settings">;

interface RunRequest {
  readonly configurationId: number;
  readonly startedBy: Actor;
  /** The actor whom events name as the issuer; default: the actor who starts the run. */
  readonly issuedBy?: Actor;
  /** If true, only returns the plan. */
  readonly dryRun?: boolean;
  /** Hash of the plan to carry out; empty to skip the check. */
  readonly planHash?: string;
  /** Learners to issue to; default: all eligible learners. */
  readonly list?: readonly ListedRow[];
  /** Whether to issue to ineligible learners of the list. */
  readonly skipEligibilityCheck?: boolean;
  /** Whether learners get no email when their credentials become available. */
  readonly skipsEmail?: boolean;
  /** Listed learners outside of these organisations are treated as unknown. */
  readonly organisations?: Organisations;
  readonly onLearner?: (learner: PlannedLearner) => void;
}

/** `run` is undefined on a dry run. */
interface StartedRun {
  readonly plan: IssuancePlan;
  readonly run: IssuanceRun | undefined;
}

/**
 * Issues to all eligible learners, or to those in a list, in one transaction. Leaves out learners who have a generating
 * or available credential under the configuration that can't be renewed now. If another caller issues to a learner at
 * the same time, this run skips that learner. A dry run only returns the plan.
 * @throws Problem `not-found`; `failed-precondition` if the context has no record; `aborted` if the plan has changed
 */
export function startIssuanceRun(
  deps: IssuingDeps,
  starting: RunRequest,
  signal: AbortSignal,
): Promise<StartedRun> {
  const { database } = deps;
  return starting.dryRun
    ? inLearnerTransaction(database, signal, async (transaction) => {
        const { plan } = await expectedPlan(transaction, deps, starting);
        return { plan, run: undefined };
      })
    : inLearnerTransaction(database, signal, (transaction) => startRun(transaction, deps, starting));
}

/** @throws Problem `aborted` if the plan no longer matches the caller's hash */
async function expectedPlan(
  transaction: LearnerTransaction,
  deps: PlanningDeps,
  starting: RunRequest,
): Promise<PreparedPlan> {
  const {
    configurationId,
    planHash = "",
    list: listed,
    skipEligibilityCheck = false,
    dryRun = false,
  } = starting;
  const expected = parsePlanHash(planHash);
  const rows = listed && (await rowsOnScale(transaction, configurationId, listed));
  const list = rows && (await openList(transaction, rows, starting.organisations));
  const planned = await planIssuance(transaction, deps, {
    configurationId,
    retriedRun: null,
    usernames: list?.usernames ?? null,
    given: givenFactsByLearner(rows ?? []),
    skipsEligibility: skipEligibilityCheck,
    isDryRun: dryRun,
    onLearner: starting.onLearner,
  });
  refuseChangedPlan(expected, planned.hash, planWords);
  if (!list) return planned;
  const target = { configurationId, isDryRun: dryRun };
  return { ...planned, plan: await closeList(transaction, list, planned.plan, target) };
}

async function rowsOnScale(
  transaction: LearnerTransaction,
  configurationId: number,
  rows: readonly ListedRow[],
): Promise<readonly ListedRow[]> {
  if (!rows.some(({ facts }) => facts?.letter !== undefined)) return rows;
  const inputs = await readInputs(transaction, { configurationId, username: "" });
  return inputs ? gradesOnScale(rows, mergeOptions(inputs.typeOptions, inputs.options)) : rows;
}

function givenFactsByLearner(rows: readonly ListedRow[]): ReadonlyMap<string, GivenFacts> {
  return new Map(
    rows.flatMap(({ username, facts, problem }) => (facts && !problem ? [[username, facts]] : [])),
  );
}

const planWords: PlanWords = {
  plan: "plan",
  words: ({ count, refusedCount }) => `to issue ${count} and skip ${refusedCount} because of their names`,
  remedy: "Check the plan again (dry_run), and start the run with its plan_hash.",
  facts: ({ count, refusedCount }) => ({ count: String(count), skipped_for_name: String(refusedCount) }),
};

/** Starts a run. A transaction can start only one. */
export async function startRun(
  transaction: LearnerTransaction,
  deps: PlanningDeps,
  starting: RunRequest,
): Promise<StartedRun> {
  const { configurationId, startedBy, issuedBy = startedBy, skipsEmail = false } = starting;
  await waitForLocks(transaction);
  await lockRunsOf(transaction, configurationId);
  const { plan, content, validUntil } = await expectedPlan(transaction, deps, starting);

  if (await hasRenewals(transaction)) await renewPlanned(transaction, issuedBy);
  const id = randomUUID();
  const skipsEligibility = starting.skipEligibilityCheck ?? false;
  const shared = { ...content, issuedBy, runId: id, skipsEligibility, skipsEmail };
  const issuedCount =
    plan.issueCount === 0 ? 0 : await insertCredentials(transaction, shared, planned(validUntil));
  if (issuedCount > 0)
    await issueStack(transaction, deps, {
      configurationId,
      usernames: await learnersOfRun(transaction, id),
      skipsEmail,
    });
  const skipped = {
    ...plan.skipped,
    has_credential: plan.skipped.has_credential + plan.issueCount - issuedCount,
  };
  await insertRun(transaction, {
    id,
    configurationId,
    startedBy: startedBy.name,
    planHash: plan.hash,
    issuedCount,
    skipped,
    listedCount: plan.listedLearners.filter(({ reason }) => reason !== "repeated").length,
    skipsEligibility,
    skipsEmail,
  });
  if (issuedCount === 0) await endRuns(transaction, [id], "complete");
  return { plan, run: await findRun(transaction, id) };
}
