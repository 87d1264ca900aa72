import { isStandingName, type StandingName } from "../parts/standing-name.js";

/** What the address of the list says: every value is a text, as in the query of a URL. */
export interface CredentialSearch {
  readonly q?: string;
  readonly standing?: StandingName;
  readonly username?: string;
  readonly context?: string;
  readonly type?: string;
  readonly configuration?: string;
  readonly run?: string;
  readonly issuer?: string;
  /** First day of issuing, in UTC, as in `2026-11-22`. */
  readonly from?: string;
  /** Last day of issuing. */
  readonly to?: string;
  /** Their last day is before this one, in UTC. */
  readonly expires?: string;
  /** Token of the page. */
  readonly page?: string;
}

const texts = ["q", "username", "context", "run", "issuer", "page"] as const;
const ids = ["type", "configuration"] as const;
const days = ["from", "to", "expires"] as const;

/** Reads an address. What it can't mean is left out, so that an old link still shows something. */
export function readCredentialSearch(query: Record<string, unknown>): CredentialSearch {
  const read: Record<string, string> = {};
  const keep = (name: string, isValid: (text: string) => boolean) => {
    const value = query[name];
    const text = typeof value === "string" ? value.trim() : "";
    if (text !== "" && isValid(text)) read[name] = text;
  };
  for (const name of texts) keep(name, (text) => text.length <= 500);
  for (const name of ids) keep(name, (text) => /^[1-9]\d{0,8}$/.test(text));
  for (const name of days) keep(name, isDay);
  keep("standing", isStandingName);
  return read;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The filters that narrow a list, apart from its standing and its page. */
export const narrowing = [
  "q",
  "username",
  "context",
  "type",
  "configuration",
  "run",
  "issuer",
  "from",
  "to",
  "expires",
] as const;
