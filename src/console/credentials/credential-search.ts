import { addressOf, isId, isText } from "../components/address.js";
import { isStandingName } from "../components/standing-name.js";

/** A day in UTC, as in `2026-11-22`. */
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
  /** First day of issuing. */
  from: isDay,
  /** Last day of issuing. */
  to: isDay,
  /** Their last day is before this one. */
  expires: isDay,
  /** Whether they need review. */
  review: isYes,
};

/** Reads what the address of the list says. */
export const readCredentialSearch = addressOf({ ...filters, standing: isStandingName, page: isText });

export type CredentialSearch = ReturnType<typeof readCredentialSearch>;

export type FilterName = keyof typeof filters;

/** Those that are set in a field. */
export type LabelledFilter = Exclude<FilterName, "review">;

/** The filters that narrow a list, apart from its standing and its page. */
export const narrowing = Object.keys(filters) as readonly FilterName[];
