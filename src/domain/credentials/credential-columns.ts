import { statusSql } from "#foundation/credential-status.js";
import { columnOf } from "#infrastructure/db/columns.js";
import { lowerCaseSql } from "#infrastructure/db/lower-case.js";
import { currentEmail } from "../learners/current-email.js";
import type { Credential } from "./credential.js";
import { withGivenFactsSql } from "./given-facts.js";

/** A column whose value is fixed when a credential is issued. */
interface IssuedColumn {
  /**
   * `all` if credentials that are issued together share one value, `learner` if each learner has a value; otherwise SQL
   * that computes the value from the rows `shared` and `own`.
   */
  readonly of: "all" | "learner" | { readonly sql: string };
  /** The value after a failed credential is issued again: the new value, the old value, or the result of this SQL. */
  readonly again: "new" | "old" | { readonly sql: string };
}

/**
 * SQL: whether the failed credential is a reissue, not a renewal. A reissue keeps the results of
 * the credential that it replaces.
 */
const IS_REISSUE = `credentials.awarded_at is not null and exists (
    select from credentials replaced where replaced.uuid = credentials.replaces and replaced.renewed_at is null)`;

/** SQL: particulars of a failed credential that is issued again. If it is a reissue, it keeps its original results. */
const RESTARTED_PARTICULARS = `case when ${IS_REISSUE} then excluded.particulars || coalesce((
    select jsonb_object_agg(key, value) from jsonb_each(credentials.particulars)
    where key in ('grade', 'grades', 'letter', 'passed', 'completion', 'steps')), '{}') else excluded.particulars end`;

const keptOnReissue = (column: string) =>
  ({ sql: `case when ${IS_REISSUE} then credentials.${column} else excluded.${column} end` }) as const;

/**
 * The columns that issuing fills, by field of `Credential`. All lists of columns derive from this object. A new field
 * must be declared here, in `Credential`, and in the schema.
 */
const issuedColumns = {
  username: { of: "learner", again: "old" },
  configurationId: { of: "all", again: "old" },
  issuedBy: { of: "all", again: "new" },
  skipsEmail: { of: "all", again: "new" },
  runId: { of: "all", again: { sql: "coalesce(excluded.run_id, credentials.run_id)" } },
  replaces: { of: "learner", again: "old" },
  userFullName: { of: "learner", again: "new" },
  learningContextKey: { of: "all", again: "old" },
  learningContextName: { of: "all", again: "new" },
  credentialType: { of: "all", again: "new" },
  generationFunc: { of: "all", again: "new" },
  options: { of: "all", again: "new" },
  assets: { of: "all", again: "new" },
  printSettings: { of: "all", again: "new" },
  createdAt: { of: { sql: "date_trunc('second', now())" }, again: "new" },
  awardedAt: { of: "learner", again: { sql: "coalesce(excluded.awarded_at, credentials.awarded_at)" } },
  validUntil: { of: "learner", again: keptOnReissue("valid_until") },
  particulars: {
    of: "learner",
    again: {
      sql: withGivenFactsSql(
        `(${RESTARTED_PARTICULARS})`,
        "coalesce(excluded.particulars -> 'given', credentials.particulars -> 'given')",
      ),
    },
  },
  results: { of: "learner", again: keptOnReissue("results") },
  searchWords: { of: { sql: wordsOfLearner("own.username") }, again: "new" },
  addressHash: { of: { sql: addressHashOf("own.username", "shared.options") }, again: "new" },
} as const satisfies Record<string, IssuedColumn>;

type Issued = typeof issuedColumns;

type FieldOf<Of> = { [Field in keyof Issued]: Issued[Field]["of"] extends Of ? Field : never }[keyof Issued];

/** Shared by credentials that are issued together. */
export type SharedColumns = Pick<Credential, FieldOf<"all">>;

/** Columns whose values differ between learners. */
export type LearnerColumns = Pick<Credential, FieldOf<"learner">>;

const laterColumns: Readonly<Record<Exclude<keyof Credential, keyof Issued>, string>> = {
  id: "id",
  uuid: "uuid",
  verifyUuid: "verify_uuid",
  status: "status",
  isExpired: statusSql().isExpired,
  renewedAt: "renewed_at",
  attempt: "attempt",
  fileKey: "file_key",
  fileSha256: "encode(file_sha256, 'hex')",
  fileSize: "file_size",
  badgeKey: "badge_key",
  badgeVersion: "badge_version",
  linkVersion: "link_version",
  errorReason: "error_reason",
  invalidationReason: "invalidation_reason",
  invalidatedAt: "invalidated_at",
  invalidatedFileKey: "invalidated_file_key",
  erasedAt: "erased_at",
  emailedAt:
    "(select sent_at from credential_mails where credential_uuid = credentials.uuid and kind = 'available')",
  replacedBy:
    "(select successor.uuid from credentials successor where successor.replaces = credentials.uuid)",
  importedAt: "imported_at",
  legacyId: "legacy_id",
  originalIssuer: "original_issuer",
};

const { searchWords: _, ...issuedFields } = issuedColumns;
const fields = Object.keys({ ...issuedFields, ...laterColumns }) as (keyof Credential)[];

export function selected(...wanted: readonly (keyof Credential)[]): string {
  return wanted
    .map((field) => `${field in laterColumns ? laterColumns[field as never] : columnOf(field)} as "${field}"`)
    .join(", ");
}

export const credentialColumns = selected(...fields);

/**
 * SQL: a select list without the results, because the results of a learning path may be larger than everything else.
 */
export const listedColumns = `${selected(...fields.filter((field) => field !== "results"))}, null as results`;

/**
 * SQL: a select list for credentials whose files are being generated. These credentials were never emailed or replaced,
 * so `emailedAt` and `replacedBy` are null.
 */
export const generatingColumns = `${selected(...fields.filter((field) => field !== "emailedAt" && field !== "replacedBy"))},
  null as "emailedAt", null as "replacedBy"`;

export const learnerColumns = columnsWhere(({ of }) => of === "learner");

/** SQL: the columns that issuing fills, with their values from the rows `shared` and `own`. */
export const inserted = {
  columns: columnsWhere(() => true).join(", "),
  values: Object.entries<IssuedColumn>(issuedColumns)
    .map(([field, { of }]) => {
      if (typeof of === "object") return of.sql;
      return `${of === "all" ? "shared" : "own"}.${columnOf(field)}`;
    })
    .join(", "),
};

/**
 * SQL: the `on conflict` clause for a learner who already has a credential under the configuration.
 *
 * A failed credential takes the new values and gets a new `id`. A job or worker that still uses the old id then finds
 * no row to write to.
 */
export const restartFailed = `on conflict (username, configuration_id) where ${statusSql().isActive} do update set
  id = default, status = 'generating', error_reason = '',
  ${Object.entries<IssuedColumn>(issuedColumns)
    .filter(([, { again }]) => again !== "old")
    .map(([field, { again }]) => {
      const column = columnOf(field);
      return `${column} = ${typeof again === "object" ? again.sql : `excluded.${column}`}`;
    })
    .join(", ")}
  where ${statusSql("credentials").isFailed}`;

export function wordsOfLearner(username: string): string {
  return `coalesce((select search_words from learners where learners.username = ${username}), '')`;
}

/** SQL: the salted hash of the email address, if the options request it. The subquery draws the salt only once. */
function addressHashOf(username: string, options: string): string {
  return `(
    select salted.salt || ':' || encode(sha256(convert_to((${lowerCaseSql("salted.email")}) || salted.salt, 'UTF8')), 'hex')
    from (
      select ${currentEmail()} as email, left(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 32) as salt from learners
      where learners.username = ${username} and not is_deleted and ${currentEmail()} <> ''
        and ${options} #> '{open_badge,email}' = 'true'
      offset 0
    ) as salted
  )`;
}

function columnsWhere(isWanted: (column: IssuedColumn) => boolean): string[] {
  return Object.entries<IssuedColumn>(issuedColumns)
    .filter(([, column]) => isWanted(column))
    .map(([field]) => columnOf(field));
}
