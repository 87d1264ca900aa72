/** Reasons of errors that say more than their code. The names are those of `.docs/errors.md`. */
export type ExplainedReason =
  | "ROLE_MISSING"
  | "ACCOUNT_NOT_ACTIVE"
  | "CREDENTIAL_NOT_FOUND"
  | "LEARNER_NOT_FOUND"
  | "LEARNING_CONTEXT_NOT_FOUND"
  | "CONFIGURATION_NOT_FOUND"
  | "CREDENTIAL_TYPE_NOT_FOUND"
  | "ASSET_NOT_FOUND"
  | "RUN_NOT_FOUND"
  | "WEBHOOK_ENDPOINT_NOT_FOUND"
  | "NOT_ELIGIBLE"
  | "NOT_EARNED_ANEW"
  | "NO_FULL_NAME"
  | "NO_CONTEXT_RECORD"
  | "NOT_PRINTABLE"
  | "WRONG_STATUS"
  | "INVALIDATED_BEFORE"
  | "RENEWED"
  | "EXPIRED"
  | "LEARNER_ERASED"
  | "IN_USE"
  | "NO_ADDRESS"
  | "PLAN_CHANGED"
  | "ETAG_MISMATCH"
  | "OVERLOADED"
  | "DATABASE_UNAVAILABLE"
  | "STORE_UNAVAILABLE"
  | "MAIL_UNAVAILABLE"
  | "DEADLINE_EXCEEDED";

/** Fields of requests, by the last part of their path. */
export type NamedField =
  | "username"
  | "usernames"
  | "reason"
  | "query"
  | "learning_context_key"
  | "configuration_id"
  | "uuid"
  | "uuids"
  | "credential_uuid"
  | "replacement_uuid"
  | "issuance_run_id"
  | "created_from"
  | "page_token"
  | "plan_hash"
  | "full_name"
  | "email";

/** Errors in words. `{…}` are values of the error, named as in its metadata. */
export interface ExplanationsWording {
  readonly reasons: Readonly<Record<ExplainedReason, string>>;
  readonly fields: Readonly<Record<NamedField, string>>;
  /** `{field}` is one of `fields`, or the path of another one. */
  readonly wrongField: string;
}
