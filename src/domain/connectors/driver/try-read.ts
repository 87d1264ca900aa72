import type { CheckResult } from "./driver.js";
import { PullError, type PullFault } from "./pull-error.js";

/**
 * Tries one read for a check of the settings. A read that fails is a result; other errors are thrown.
 * @param work returns what was found, in words
 * @param remedies what an operator can do about a fault, for a driver whose messages do not say it
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
