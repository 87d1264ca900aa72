import { statusSql } from "#foundation/credential-status.js";
import { quoted } from "#foundation/errors.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import {
  discardNewLearners,
  insertNewLearners,
  type NewLearner,
} from "../../learners/insert-new-learners.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Organisations } from "../../learners/organisations.js";
import { printedNameSql } from "../../learners/printed-name.js";
import type { GivenFacts } from "../given-facts.js";
import { learnersOf } from "../learners-of-organisations.js";
import type { IssuancePlan, ListedLearner, SkippedCounts, SkipReason } from "./issuance-run.js";
import { noneSkipped } from "./issuance-run.js";

/** A row of a list: a learner to issue to. */
export interface ListedRow {
  readonly username: string;
  /** Data for a record, in case the learner has no record. */
  readonly record?: NewLearner;
  /** Facts that replace facts from records and options. */
  readonly facts?: GivenFacts;
  /** A sentence that says why the row can't be used. */
  readonly problem?: string;
}

/** A list whose new learners have temporary records until `closeList` is called. */
interface OpenList {
  readonly rows: readonly ListedRow[];
  /** Usernames in usable rows, without duplicates. */
  readonly usernames: readonly string[];
  /** Learners for whom a record was created. */
  readonly inserted: ReadonlySet<string>;
  /** Whether learners of other organisations are treated as unknown. */
  readonly isBounded: boolean;
}

/**
 * Creates records for new learners, so that the plan includes them. Callers restricted to some organisations can't
 * create records, because all organisations share them. Creating records would show these callers which usernames are
 * taken and, later, the platform's data about these learners.
 */
export async function openList(
  transaction: LearnerTransaction,
  rows: readonly ListedRow[],
  organisations: Organisations,
): Promise<OpenList> {
  const first = new Map<string, ListedRow>();
  for (const row of rows) if (!row.problem && !first.has(row.username)) first.set(row.username, row);
  const named = [...first.keys()];
  if (organisations !== undefined) {
    const usernames = await learnersOf(transaction, named, organisations);
    return { rows, usernames, inserted: new Set(), isBounded: true };
  }
  const records = [...first.values()].flatMap(({ record }) => record ?? []);
  const inserted = new Set(await insertNewLearners(transaction, records));
  return { rows, usernames: named, inserted, isBounded: false };
}

/**
 * Decides the outcome of each row, and removes the new records of learners who get no credential.
 * @param isDryRun whether to remove all new records
 */
export async function closeList(
  transaction: LearnerTransaction,
  list: OpenList,
  plan: IssuancePlan,
  target: { readonly configurationId: number; readonly isDryRun: boolean },
): Promise<IssuancePlan> {
  const judgements = await judge(transaction, list.usernames, target.configurationId);
  const skippedForName = new Map(plan.skippedLearners.map((skipped) => [skipped.username, skipped]));
  const listedBefore = new Set<string>();
  const listedLearners = list.rows.map((row): ListedLearner => {
    const { username, problem } = row;
    const isNew = list.inserted.has(username);
    const listed = { username, isNew, reason: null, detail: "" };
    if (problem) return { ...listed, isNew: false, reason: "invalid", detail: problem };
    if (listedBefore.has(username)) return { ...listed, reason: "repeated", detail: sentences.repeated };
    listedBefore.add(username);
    const skipped = skippedForName.get(username);
    if (skipped) return { ...listed, reason: skipped.reason, detail: skipped.detail };
    const { judgement, fullName } = judgements.get(username) ?? UNKNOWN;
    if (judgement === "unknown_learner" && list.isBounded)
      return { ...listed, reason: judgement, detail: UNKNOWN_TO_ORGANISATIONS };
    if (judgement !== "ready") return { ...listed, reason: judgement, detail: sentences[judgement] };
    return { ...listed, detail: isNew ? "" : differenceOf(row, fullName) };
  });

  const toDiscard = listedLearners
    .filter(({ isNew, reason }) => isNew && reason !== "repeated" && (target.isDryRun || reason !== null))
    .map(({ username }) => username);
  await discardNewLearners(transaction, toDiscard);
  return { ...plan, listedLearners, skipped: countSkipped(listedLearners) };
}

type Judgement =
  | "ready"
  | Extract<
      SkipReason,
      "has_credential" | "not_earned_anew" | "withdrawn" | "unknown_learner" | "not_eligible"
    >;

interface Judged {
  readonly username: string;
  readonly judgement: Judgement;
  /** Name in the learner's record; empty if there is no record. */
  readonly fullName: string;
}

const UNKNOWN = { judgement: "unknown_learner", fullName: "" } as const;

const sentences: Record<Exclude<Judgement, "ready"> | "repeated", string> = {
  has_credential: "The learner has a credential that is available or being generated.",
  not_earned_anew:
    "The learner's credential is due for renewal, which requires results observed after it was issued.",
  withdrawn: "The learner's credential was invalidated: issue another one with IssueCredential.",
  unknown_learner: "The learner has no record.",
  not_eligible: "The learner is not eligible: GetEligibility returns what is missing.",
  repeated: "An earlier row has the same learner.",
};

const UNKNOWN_TO_ORGANISATIONS =
  "Your organisations have no such learner: enrol the learner on the platform, or ask someone who is not restricted to organisations to issue the credential.";

function differenceOf({ record }: ListedRow, fullName: string): string {
  if (!record || record.fullName === fullName) return "";
  return `The learner has a record with the name ${quoted(fullName)}, which is printed.`;
}

async function judge(
  db: Knex.Transaction,
  usernames: readonly string[],
  configurationId: number,
): Promise<ReadonlyMap<string, Judged>> {
  const plan = statusSql("plan");
  const credential = statusSql("credential");
  const rows = await queryRows<Judged>(
    db,
    `select listed.username, coalesce(${printedNameSql("learner")}, '') as "fullName",
       case
         when plan.username is null and credential.uuid is not null then 'has_credential'
         when learner.username is null then 'unknown_learner'
         when plan.username is null then 'not_eligible'
         when plan.renews is not null or plan.status is null or ${plan.isFailed} then 'ready'
         when ${plan.isInvalidated} then 'withdrawn'
         when plan.awaits_results then 'not_earned_anew'
         else 'has_credential'
       end as judgement
     from unnest(?::text[]) as listed (username)
     left join learners learner on learner.username = listed.username and not learner.is_deleted
     left join issuance_plan plan on plan.username = listed.username
     left join credentials credential on credential.username = listed.username
       and credential.configuration_id = ? and ${credential.isActive} and ${credential.isGeneratedOrGenerating}`,
    [usernames, configurationId],
  );
  return new Map(rows.map((row) => [row.username, row]));
}

function countSkipped(listed: readonly ListedLearner[]): SkippedCounts {
  const counts = { ...noneSkipped };
  for (const { reason } of listed) if (reason !== null && reason !== "repeated") counts[reason]++;
  return counts;
}
