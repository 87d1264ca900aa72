import { Problem, quoted, wrongField } from "#foundation/errors.js";

/** Identifies the plan of a dry run. If the plan has changed, the error can state the old counts. */
export interface PlanHash {
  /** Number of credentials to issue, reissue or invalidate. */
  readonly count: number;
  /** Number of skipped or refused credentials. */
  readonly refusedCount: number;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
}

export function formatPlanHash({ count, refusedCount, digest }: PlanHash): string {
  return `${count}.${refusedCount}.${digest}`;
}

/** Returns `undefined` for an empty text, which accepts any plan. @throws Problem `invalid` */
export function parsePlanHash(text: string): PlanHash | undefined {
  if (text === "") return undefined;
  const [, count, refusedCount, digest] = /^(\d{1,9})\.(\d{1,9})\.([0-9a-f]{64})$/.exec(text) ?? [];
  if (digest === undefined)
    throw wrongField("plan_hash", `is ${quoted(text)}; it must be the unchanged plan_hash of a dry run.`);
  return { count: Number(count), refusedCount: Number(refusedCount), digest };
}

/** Words with which errors describe a plan. */
export interface PlanWords {
  readonly plan: string;
  words(hash: PlanHash): string;
  readonly remedy: string;
  facts(hash: PlanHash): Readonly<Record<string, string>>;
}

/** @throws Problem `aborted` if the plans differ */
export function refuseChangedPlan(
  expected: PlanHash | undefined,
  now: PlanHash,
  { plan, words, remedy, facts }: PlanWords,
): void {
  if (expected === undefined || expected.digest === now.digest) return;
  const [before, after] = [words(expected), words(now)];
  throw new Problem(
    "aborted",
    `The ${plan} has changed: it was ${before}, and is now ${after}${before === after ? ", but with different contents" : ""}. ${remedy}`,
    { reason: "PLAN_CHANGED", facts: facts(now) },
  );
}
