import { invalidField, Problem } from "../../errors.js";
import { quoted } from "../../text/quoted.js";

/**
 * Identifies the plan of a run. It contains the counts, so that an error about an outdated hash can state the
 * old plan.
 */
export interface PlanHash {
  readonly issueCount: number;
  /** Number of learners who are skipped for their names. */
  readonly skippedCount: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly digest: string;
}

export function formatPlanHash({ issueCount, skippedCount, digest }: PlanHash): string {
  return `${issueCount}.${skippedCount}.${digest}`;
}

/** @throws Problem `invalid` */
export function parsePlanHash(text: string): PlanHash {
  const [, issueCount, skippedCount, digest] = /^(\d{1,9})\.(\d{1,9})\.([0-9a-f]{64})$/.exec(text) ?? [];
  if (digest === undefined) {
    throw invalidField(
      "plan_hash",
      `plan_hash is ${quoted(text)}: give it unchanged from the plan (dry_run).`,
    );
  }
  return { issueCount: Number(issueCount), skippedCount: Number(skippedCount), digest };
}

/** @throws Problem `aborted` unless both plans are the same */
export function refuseChangedPlan(then: PlanHash, now: PlanHash): void {
  if (then.digest === now.digest) return;
  throw new Problem(
    "aborted",
    `The plan has changed: it was to ${words(then)}, and is to ${words(now)} now` +
      `${words(then) === words(now) ? ", but not the same" : ""}. ` +
      "Read the plan again (dry_run), and start the run with its plan_hash.",
    {
      reason: "PLAN_CHANGED",
      facts: { count: String(now.issueCount), skipped_for_name: String(now.skippedCount) },
    },
  );
}

function words({ issueCount, skippedCount }: PlanHash): string {
  return `issue ${issueCount} and pass over ${skippedCount} for their names`;
}
