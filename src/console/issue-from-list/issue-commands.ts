import type { JudgedRow } from "./judged-rows.js";

/** Maximum number of commands to show. The API is better for more learners. */
const MAX_COMMANDS = 20;

interface Skips {
  readonly skipEligibilityCheck: boolean;
  readonly skipEmail: boolean;
}

/** Returns the options with which the command `issue` skips the eligibility check or the email. */
export function skipOptions({ skipEligibilityCheck, skipEmail }: Skips): string[] {
  return [
    ...(skipEligibilityCheck ? ["--skip-eligibility-check"] : []),
    ...(skipEmail ? ["--skip-email"] : []),
  ];
}

/**
 * Returns one command for each learner who is ready.
 * @returns undefined if there are too many learners, or if one has no record, because the command can't create records
 */
export function issueCommands(
  rows: readonly JudgedRow[],
  configurationId: number,
  skips: Skips,
): readonly (readonly string[])[] | undefined {
  const ready = rows.filter(({ outcome }) => outcome.kind === "ready");
  if (ready.length > MAX_COMMANDS) return undefined;
  if (ready.some(({ outcome }) => outcome.kind === "ready" && outcome.isNew)) return undefined;
  const options = skipOptions(skips);
  return ready.map(({ learner }) => ["issue", ...options, String(configurationId), "--", learner.username]);
}
