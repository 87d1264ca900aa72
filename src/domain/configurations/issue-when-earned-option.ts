import { z } from "zod";
import { help } from "#foundation/languages/option-help.js";

/** The option of every type and configuration that makes the service issue credentials without a run. */
export const ISSUE_WHEN_EARNED = "issue_when_earned";

export const issueWhenEarnedOptions = z.object({
  [ISSUE_WHEN_EARNED]: z.boolean().optional().meta(help("issue_when_earned")),
});
