import { type CredentialStatus, statusSql } from "#foundation/credential-status.js";
import type { Query } from "#infrastructure/db/database.js";
import { type LearnerQuery, matchesLearner } from "../../learners/learner-query.js";
import { type Organisations, withinRanges } from "../../learners/organisations.js";
import { needsReview } from "../reviews.js";
import type { SearchQuery } from "./search-query.js";

/** Statuses to search for. Unlike in the database, `expired` is a status of its own. */
export const SEARCH_STATUSES = ["generating", "valid", "expired", "error", "invalidated"] as const;

export type SearchStatus = (typeof SEARCH_STATUSES)[number];

/** Fields that are empty, 0, null or undefined don't filter. */
export interface SearchFilter {
  readonly username: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly credentialTypeId: number;
  readonly runId: string | null;
  readonly statuses: readonly SearchStatus[];
  readonly createdFrom: Date | null;
  readonly createdBefore: Date | null;
  readonly validUntilFrom: Date | null;
  readonly validUntilBefore: Date | null;
  readonly issuedBy: string;
  readonly needsReview: boolean;
  /** Only credentials in contexts of these organisations. */
  readonly organisations: Organisations;
}

export const ANY_CREDENTIAL: SearchFilter = {
  username: "",
  learningContextKey: "",
  configurationId: 0,
  credentialTypeId: 0,
  runId: null,
  statuses: [],
  createdFrom: null,
  createdBefore: null,
  validUntilFrom: null,
  validUntilBefore: null,
  issuedBy: "",
  needsReview: false,
  organisations: undefined,
};

export interface CredentialSearch {
  readonly query: SearchQuery;
  readonly filter: SearchFilter;
}

const { isAvailable, isExpired, isFailed, isGenerating, isInvalidated } = statusSql();

/** SQL conditions. For each credential, exactly one is true. */
export const searchStatusSql: Record<SearchStatus, string> = {
  generating: `(${isGenerating})`,
  valid: `(${isAvailable} and not ${isExpired})`,
  // The last condition is redundant, but allows Postgres to use the index.
  expired: `(${isAvailable} and ${isExpired} and valid_until <= now())`,
  error: `(${isFailed})`,
  invalidated: `(${isInvalidated})`,
};

export const storedStatusOf: Record<SearchStatus, CredentialStatus> = {
  generating: "generating",
  valid: "available",
  expired: "available",
  error: "error",
  invalidated: "invalidated",
};

export const SEARCH_STATUS = `case ${SEARCH_STATUSES.map((name) => `when ${searchStatusSql[name]} then '${name}'`).join(" ")} end`;

/** SQL: whether a row of `credentials` matches the search. */
export function isFound({ query, filter }: CredentialSearch): Query {
  const conditions: Query[] = [matches(query), withinRanges("learning_context_key", filter.organisations)];
  const restrict = (sql: string, binding: unknown) => conditions.push({ sql, bindings: [binding] });
  if (filter.username !== "") restrict("username = ?", filter.username);
  if (filter.learningContextKey !== "") restrict("learning_context_key = ?", filter.learningContextKey);
  if (filter.configurationId !== 0) restrict("configuration_id = ?", filter.configurationId);
  if (filter.credentialTypeId !== 0) {
    restrict(
      "configuration_id = any (array(select id from credential_configurations where credential_type_id = ?))",
      filter.credentialTypeId,
    );
  }
  if (filter.runId !== null) restrict("run_id = ?::uuid", filter.runId);
  if (filter.createdFrom) restrict("created_at >= ?", filter.createdFrom);
  if (filter.createdBefore) restrict("created_at < ?", filter.createdBefore);
  if (filter.validUntilFrom) restrict("valid_until >= ?", filter.validUntilFrom);
  if (filter.validUntilBefore) restrict("valid_until < ?", filter.validUntilBefore);
  if (filter.issuedBy !== "") restrict("issued_by = ?", filter.issuedBy);
  if (filter.needsReview) conditions.push({ sql: needsReview("credentials"), bindings: [] });
  if (filter.statuses.length > 0) {
    const any = filter.statuses.map((status) => searchStatusSql[status]).join(" or ");
    conditions.push({ sql: `(${any})`, bindings: [] });
  }
  return {
    sql: conditions.map(({ sql }) => sql).join(" and "),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

function matches(query: SearchQuery): Query {
  if (query.kind === "uuid")
    return { sql: "(uuid = ?::uuid or verify_uuid = ?::uuid)", bindings: [query.uuid, query.uuid] };
  if (query.kind === "uuid start") {
    const { sql, bindings } = matchesLearner(query.otherwise);
    const { first, last } = query;
    return {
      sql: `(uuid between ?::uuid and ?::uuid or verify_uuid between ?::uuid and ?::uuid or ${sql})`,
      bindings: [first, last, first, last, ...bindings],
    };
  }
  if (query.kind === "inside") return hasLearner(query);
  if (query.kind !== "code") return matchesLearner(query);
  const { sql, bindings } = matchesLearner(query.otherwise);
  return { sql: `(verify_uuid = ?::uuid or ${sql})`, bindings: [query.verifyUuid, ...bindings] };
}

/** Maximum number of learners found by text within words. For such text, only the table of learners has an index. */
const MAX_LEARNERS = 1000;

function hasLearner(query: LearnerQuery): Query {
  const { sql, bindings } = matchesLearner(query);
  return {
    sql: `username = any (array(
      select known.username from (select username, search_words from learners) known where ${sql} limit ${MAX_LEARNERS}
    ))`,
    bindings,
  };
}
