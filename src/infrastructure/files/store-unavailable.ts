import { Problem } from "#foundation/errors.js";

/**
 * Returns what a caller learns about a fault of the store. The cause is for the log and tells the operator
 * what to fix.
 */
export function storeUnavailable(cause: Error): Problem {
  return new Problem("unavailable", "The file store can't be used at the moment; try again later.", {
    cause,
    outage: "store",
  });
}
