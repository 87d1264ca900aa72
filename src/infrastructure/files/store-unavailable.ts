import { Problem } from "#foundation/errors.js";

/** The error for callers. Its cause is for the log, and says what the operator can fix. */
export function storeUnavailable(cause: Error): Problem {
  return new Problem("unavailable", "The file store is unavailable; try again later.", {
    cause,
    outage: "store",
  });
}
