import { learnerTables } from "../../learners/record-tables.js";

/** What an erasure does with a column that can tell who somebody is. */
export type Treatment =
  /** The row goes. */
  | "removed"
  /** A made-up name takes the place of the learner's. */
  | "pseudonym"
  /** The same, where the name stands for who did something. */
  | "actor's pseudonym"
  | "emptied"
  /** The names go, or all of it does. */
  | "names taken out"
  /** A sentence that is the same for all takes its place. */
  | "replaced"
  /** Other random bytes take the place of those that a name could be tried against. */
  | "drawn anew"
  /** Nobody can tell a name from it who does not know the name and the database. */
  | "kept";

/**
 * Every column that can tell who somebody is, and what an erasure does with it. A test compares it with the catalogue of
 * the database: a new column of text is listed here, or there among those that tell nobody.
 */
export const personalColumns: Readonly<Record<string, Treatment>> = {
  ...Object.fromEntries(
    learnerTables.flatMap(({ name, columnNames }) =>
      columnNames.map((column) => [`${name}.${column}`, "removed"]),
    ),
  ),
  "account_subjects.username": "removed",
  "account_subjects.issuer": "removed",
  "account_subjects.subject": "removed",
  "credentials.username": "pseudonym",
  "credentials.user_full_name": "emptied",
  "credentials.particulars": "emptied",
  "credentials.legacy_id": "emptied",
  "credentials.file_key": "emptied",
  "credentials.file_sha256": "emptied",
  "credentials.invalidated_file_key": "emptied",
  "credentials.invalidation_reason": "names taken out",
  "credentials.error_reason": "replaced",
  "credentials.commitment_seed": "drawn anew",
  "credentials.issued_by": "actor's pseudonym",
  "credentials.invalidated_by": "actor's pseudonym",
  "issuance_runs.started_by": "actor's pseudonym",
  "issuance_runs.plan_hash": "emptied",
  "issuance_run_failures.reason": "replaced",
  "assets.uploaded_by": "actor's pseudonym",
  "credential_event_actors.name": "pseudonym",
  "credential_event_actors.seed": "emptied",
  "audit_names.name": "pseudonym",
  "audit_names.issuer": "emptied",
  "audit_names.subject": "replaced",
  "erased_learners.username_hash": "kept",
  "graphile_worker._private_jobs.payload": "removed",
  "graphile_worker._private_jobs.last_error": "removed",
};

/** Table and column of each username that stands for who did something. */
export const actorColumns: readonly (readonly [table: string, column: string])[] = Object.entries(
  personalColumns,
)
  .filter(([, treatment]) => treatment === "actor's pseudonym")
  .map(([column]) => column.split(".") as [string, string]);
