import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import { isStaff } from "#infrastructure/identity/caller.js";
import { type Call, callerName } from "../../pipeline/handlers.js";

/**
 * Returns the learner whom a request is about, and in which role the caller asks.
 * @param named the learner's username; empty for the caller
 * @throws Problem `invalid` if the username is too long
 */
export function learnerOf(named: string, { caller }: Call) {
  const self = callerName(caller);
  const username = named === "" ? self : checkText("username", named, { min: 1, max: MAX_NAME });
  const staff = username === self ? "staff-about-self" : "staff-about-other";
  return { username, requestedBy: isStaff(caller) ? staff : "self" } as const;
}
