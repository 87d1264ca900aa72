import { type CredentialStatus, statusSql } from "#foundation/credential-status.js";
import type { Query } from "#infrastructure/db/transaction.js";
import { type LearnerQuery, matchesLearner } from "../../learners/learner-query.js";
import { type Organisations, withinRanges } from "../../learners/organisations.js";
import { needsReview } from "../withdrawn-parts.js";
import type { SearchQuery } from "./search-query.js";

/** A credential's status combined with whether it has expired. */
export const STANDINGS = ["generating", "valid", "expired", "error", "invalidated"] as const;

export type CredentialStanding = (typeof STANDINGS)[number];

/** Narrows a search. A field that is empty, 0, null or undefined does not filter. */
export interface SearchFilter {
  readonly username: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly credentialTypeId: number;
  readonly runId: string | null;
  readonly standings: readonly CredentialStanding[];
  readonly createdFrom: Date | null;
  readonly createdBefore: Date | null;
  readonly validUntilFrom: Date | null;
  readonly validUntilBefore: Date | null;
  readonly issuedBy: string;
  readonly needsReview: boolean;
  /** Only credentials for contexts of these organisations. */
  readonly organisations: Organisations;
}

/** A filter that matches every credential. */
export const ANY_CREDENTIAL: SearchFilter = {
  username: "",
  learningContextKey: "",
  configurationId: 0,
  credentialTypeId: 0,
  runId: null,
  standings: [],
  createdFrom: null,
  createdBefore: null,
  validUntilFrom: null,
  validUntilBefore: null,
  issuedBy: "",
  needsReview: false,
  organisations: undefined,
};

/** A query, and the filter to apply to it. */
export interface CredentialSearch {
  readonly query: SearchQuery;
  readonly filter: SearchFilter;
}

const { isAvailable, isExpired, isFailed, isGenerating, isInvalidated } = statusSql();

/** SQL: the condition of each standing; exactly one of them is true. */
export const standingSql: Record<CredentialStanding, string> = {
  generating: `(${isGenerating})`,
  valid: `(${isAvailable} and not ${isExpired})`,
  // The last condition is redundant, but lets Postgres use the index.
  expired: `(${isAvailable} and ${isExpired} and valid_until <= now())`,
  error: `(${isFailed})`,
  invalidated: `(${isInvalidated})`,
};

/** The status of credentials with this standing. */
export const statusOf: Record<CredentialStanding, CredentialStatus> = {
  generating: "generating",
  valid: "available",
  expired: "available",
  error: "error",
  invalidated: "invalidated",
};

/** SQL: the standing of a row. */
export const STANDING = `case ${STANDINGS.map((name) => `when ${standingSql[name]} then '${name}'`).join(" ")} end`;

/** Returns the SQL condition on a row of `credentials`. */
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
  if (filter.standings.length > 0) {
    const any = filter.standings.map((standing) => standingSql[standing]).join(" or ");
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

/** Maximum number of matching learners. Only learners have an index for text within words. */
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
