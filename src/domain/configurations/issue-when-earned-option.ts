import { z } from "zod";
import { help } from "#foundation/languages/option-help.js";

/** Every type and configuration has this option, with which the service issues credentials without a run. */
export const ISSUE_WHEN_EARNED = "issue_when_earned";

export const issueWhenEarnedOptions = z.object({
  [ISSUE_WHEN_EARNED]: z.boolean().optional().meta(help("issue_when_earned")),
});
