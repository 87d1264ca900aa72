import type { JudgedRow } from "./judged-rows.js";

/** Commands that someone would still type. More learners are a matter for the API. */
const MOST = 20;

/** What issuing leaves out. */
interface Skips {
  readonly skipEligibilityCheck: boolean;
  readonly skipEmail: boolean;
}

/** The options of the command `issue`. */
export function skipOptions({ skipEligibilityCheck, skipEmail }: Skips): string[] {
  return [
    ...(skipEligibilityCheck ? ["--skip-eligibility-check"] : []),
    ...(skipEmail ? ["--skip-email"] : []),
  ];
}

/**
 * The commands that issue to those who are ready, one for each.
 * @returns undefined if there are too many, or one of them has no record yet: a command adds none
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
