import { addressOf, isId, isText } from "../components/address.js";
import { isStatusName } from "../components/status-name.js";

/** Returns whether a text is a day in UTC, for example `2026-11-22`. */
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

const isYes = (text: string): text is "yes" => text === "yes";

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
