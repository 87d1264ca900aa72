import type { CheckResult } from "./driver.js";
import { PullError, type PullFault } from "./pull-error.js";

/**
 * Tries one read for `check`. A `PullError` becomes a failed result.
 * @param work returns a description of the data that was read
 * @param remedies by fault, for drivers whose messages don't include them
 */
export async function tryRead(
  what: string,
  work: () => Promise<string>,
  remedies: Partial<Record<PullFault, string>> = {},
): Promise<CheckResult> {
  try {
    return { what, outcome: "ok", text: await work() };
  } catch (error) {
    if (!(error instanceof PullError)) throw error;
    const remedy = remedies[error.fault];
    return { what, outcome: "failed", text: remedy ? `${error.message} ${remedy}` : error.message };
  }
}
