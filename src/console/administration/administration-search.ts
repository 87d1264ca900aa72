import { addressOf, isDay, isText, isYes } from "../components/address.js";

/** Reads the URL of the administration page: the tab, and the filters of the audit trail. */
export const readAdministrationSearch = addressOf({
  tab: isText,
  caller: isText,
  learner: isText,
  object: isText,
  from: isDay,
  to: isDay,
  reads: isYes,
  page: isText,
});
