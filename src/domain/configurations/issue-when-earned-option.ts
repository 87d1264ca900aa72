import { z } from "zod";

/** The option of every type and configuration that has credentials issued without a run. */
export const ISSUE_WHEN_EARNED = "issue_when_earned";

export const issueWhenEarnedOptions = z.object({
  [ISSUE_WHEN_EARNED]: z
    .boolean()
    .optional()
    .describe(
      "Whether a credential is issued as soon as its requirements are met: after a new result or enrolment, with the last credential that it requires, and after a change of the requirements; default: false",
    ),
});
