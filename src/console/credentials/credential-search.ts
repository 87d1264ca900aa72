import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  CountCredentialsRequestSchema,
  SearchCredentialsRequestSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { isStandingName, type StandingName, standings } from "../parts/status.js";

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

const DAY_MS = 24 * 60 * 60 * 1000;

/** The request that counts what an address shows, whatever its standing. */
export function countRequest(
  search: CredentialSearch,
): MessageInitShape<typeof CountCredentialsRequestSchema> {
  const { q = "", username = "", context = "", run = "", issuer = "", from, to, expires } = search;
  return {
    query: q,
    filter: {
      username,
      learningContextKey: context,
      credentialTypeId: Number(search.type ?? 0),
      configurationId: Number(search.configuration ?? 0),
      issuanceRunId: run,
      issuedBy: issuer,
      ...(from !== undefined && { createdFrom: timestampFromDate(new Date(from)) }),
      ...(to !== undefined && { createdBefore: timestampFromDate(new Date(Date.parse(to) + DAY_MS)) }),
      // Validity ends with the first moment of the next day, which is not before that day.
      ...(expires !== undefined && {
        validUntilBefore: timestampFromDate(new Date(Date.parse(expires) + 1)),
      }),
    },
  };
}

/** The request that finds what an address shows. */
export function searchRequest(
  search: CredentialSearch,
  pageSize: number,
): MessageInitShape<typeof SearchCredentialsRequestSchema> {
  const { query = "", filter } = countRequest(search);
  const { standing, page = "" } = search;
  return {
    query,
    filter: { ...filter, standings: standing === undefined ? [] : [standings[standing]] },
    pageSize,
    pageToken: page,
  };
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
