import { learnerTables } from "../../learners/record-tables.js";

/** How an erasure changes a column that can identify a person. */
type Treatment =
  /** The row is deleted. */
  | "removed"
  /** A pseudonym replaces the learner's username. */
  | "pseudonym"
  /** A pseudonym replaces the username of an actor. */
  | "actor's pseudonym"
  | "emptied"
  /** Names are removed from the text. If a name may remain, the whole text is removed. */
  | "names taken out"
  /** A fixed sentence replaces the text. */
  | "replaced"
  /** New random bytes replace the value, so that guessed names can't be tested against it. */
  | "drawn again"
  /** The value stays. It reveals a name only to someone who has the database and guesses the name. */
  | "kept";

/**
 * Every column that can identify a person. A test compares this list with the database catalogue: a new text column
 * must be added here, or to the list of columns that identify nobody.
 */
export const personalColumns: Readonly<Record<string, Treatment>> = {
  ...Object.fromEntries(
    learnerTables.flatMap(({ name, columnNames }) =>
      columnNames.map((column) => [`${name}.${column}`, "removed"]),
    ),
  ),
  "learners.corrected_name": "removed",
  "learners.correction_of": "removed",
  "learners.correction_words": "removed",
  "learners.correction_reason": "removed",
  "learners.corrected_by": "actor's pseudonym",
  "learners.corrected_email": "removed",
  "learners.email_correction_of": "removed",
  "learners.email_correction_reason": "removed",
  "learners.email_corrected_at": "removed",
  "learners.email_corrected_by": "actor's pseudonym",
  "connector_people.username": "removed",
  "connector_people.previous_username": "removed",
  "connector_people.external_id": "removed",
  "connector_people.taken_by": "removed",
  "connector_clashes.username": "removed",
  "connector_enrollments.username": "removed",
  "connector_hints.username": "removed",
  "connector_hints.external_id": "removed",
  "lti_people.subject": "removed",
  "one_roster_ids.sourced_id": "removed",
  "one_roster_ids.username": "removed",
  "lti_people.username": "removed",
  "lti_scores.subject": "removed",
  "lti_teachers.username": "removed",
  "account_subjects.username": "removed",
  "account_subjects.issuer": "removed",
  "account_subjects.subject": "removed",
  "console_sessions.username": "removed",
  "console_sessions.issuer": "removed",
  "console_sessions.subject": "removed",
  "console_links.username": "removed",
  "staff_grants.username": "removed",
  "staff_grants.issuer": "removed",
  "staff_grants.subject": "removed",
  "staff_grants.granted_by": "actor's pseudonym",
  "credentials.username": "pseudonym",
  "credentials.user_full_name": "emptied",
  "credentials.search_words": "emptied",
  "credentials.particulars": "emptied",
  "credentials.results": "emptied",
  "credentials.address_hash": "emptied",
  "credentials.legacy_id": "emptied",
  "credentials.file_key": "emptied",
  "credentials.file_sha256": "emptied",
  "credentials.invalidated_file_key": "emptied",
  "credentials.invalidation_reason": "names taken out",
  "credentials.error_reason": "replaced",
  "credentials.commitment_seed": "drawn again",
  "credential_aliases.alias": "removed",
  "credential_seals.cms": "removed",
  "credentials.issued_by": "actor's pseudonym",
  "credentials.invalidated_by": "actor's pseudonym",
  "issuance_runs.started_by": "actor's pseudonym",
  "issuance_runs.plan_hash": "emptied",
  "issuance_run_failures.reason": "replaced",
  "credential_schedules.set_by": "actor's pseudonym",
  "revisions.saved_by": "actor's pseudonym",
  "assets.uploaded_by": "actor's pseudonym",
  "webhook_endpoints.created_by": "actor's pseudonym",
  "lti_registrations.created_by": "actor's pseudonym",
  "lti_invitations.created_by": "actor's pseudonym",
  "operations.asked_by": "actor's pseudonym",
  "preview_links.created_by": "actor's pseudonym",
  "credential_event_actors.name": "pseudonym",
  "credential_event_actors.seed": "emptied",
  "audit_names.name": "pseudonym",
  "audit_names.issuer": "emptied",
  "audit_names.subject": "replaced",
  "erased_learners.username_hash": "kept",
  "jobs.payload": "removed",
  "jobs.last_error": "removed",
};

export const actorColumns: readonly (readonly [table: string, column: string])[] = Object.entries(
  personalColumns,
)
  .filter(([, treatment]) => treatment === "actor's pseudonym")
  .map(([column]) => column.split(".") as [string, string]);
