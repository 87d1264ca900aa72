import type { JudgedRow } from "./judged-rows.js";

/** Maximum number of commands. For more learners, there is the API. */
const MOST = 20;

/** Steps that issuing skips. */
interface Skips {
  readonly skipEligibilityCheck: boolean;
  readonly skipEmail: boolean;
}

/** Returns these options for the command `issue`. */
export function skipOptions({ skipEligibilityCheck, skipEmail }: Skips): string[] {
  return [
    ...(skipEligibilityCheck ? ["--skip-eligibility-check"] : []),
    ...(skipEmail ? ["--skip-email"] : []),
  ];
}

/**
 * Returns the commands that issue to the learners who are ready, one for each.
 * @returns undefined if there are too many, or if a learner has no record, which the command can't create
 */
export function issueCommands(
  rows: readonly JudgedRow[],
  configurationId: number,
  skips: Skips,
): readonly (readonly string[])[] | undefined {
  const ready = rows.filter(({ outcome }) => outcome.kind === "ready");
  if (ready.length > MOST) return undefined;
  if (ready.some(({ outcome }) => outcome.kind === "ready" && outcome.isNew)) return undefined;
  const options = skipOptions(skips);
  return ready.map(({ learner }) => ["issue", ...options, String(configurationId), "--", learner.username]);
}
