import { addressOf, isDay, isId, isText, isYes } from "../components/address.js";
import { isStatusName } from "../components/status-name.js";

const filters = {
  q: isText,
  username: isText,
  context: isText,
  type: isId,
  configuration: isId,
  run: isText,
  issuer: isText,
  /** Finds credentials that were issued on or after this day. */
  from: isDay,
  /** Finds credentials that were issued on or before this day. */
  to: isDay,
  /** Finds credentials that expire by the beginning of this day in UTC. */
  expires: isDay,
  review: isYes,
};

export const readCredentialSearch = addressOf({ ...filters, status: isStatusName, page: isText });

export type CredentialSearch = ReturnType<typeof readCredentialSearch>;

export type FilterName = keyof typeof filters;

export type LabelledFilter = Exclude<FilterName, "review">;

/** Names of the filters, without status and page. */
export const narrowing = Object.keys(filters) as readonly FilterName[];
