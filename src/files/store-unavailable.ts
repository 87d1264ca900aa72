import { Problem } from "../errors.js";

/** What a caller learns of a fault of the store; its cause is for the log, and tells the operator what to mend. */
export function storeUnavailable(cause: Error): Problem {
  return new Problem("unavailable", "The file store can't be used at the moment; try again later.", {
    cause,
    outage: "store",
  });
}
