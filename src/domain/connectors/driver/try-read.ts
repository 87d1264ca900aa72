import type { CheckResult } from "./driver.js";
import { PullError, type PullFault } from "./pull-error.js";

/**
 * Tries one read for `check`. A failed read is returned as a result; other errors are thrown.
 * @param work returns a description of what was found
 * @param remedies what an operator can do about each fault, for drivers whose messages don't say it
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
