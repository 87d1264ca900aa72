import type { JudgedRow } from "./judged-rows.js";

/** Maximum number of commands to show. The API is better for more learners. */
const MAX_COMMANDS = 20;

interface Skips {
  readonly skipEligibilityCheck: boolean;
  readonly skipEmail: boolean;
}

export function issueCommand(configurationId: number, username: string, skips: Skips): readonly string[] {
  return [
    "issue",
    ...(skips.skipEligibilityCheck ? ["--skip-eligibility-check"] : []),
    ...(skips.skipEmail ? ["--skip-email"] : []),
    String(configurationId),
    "--",
    username,
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
  return ready.map(({ learner }) => issueCommand(configurationId, learner.username, skips));
}
