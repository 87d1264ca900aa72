/** Errors in words. `{…}` are values of the error, named as in its metadata. */
export const words = {
  /** By the reasons of `.docs/errors.md`. */
  reasons: {
    ROLE_MISSING: "This needs the role {role}. Whoever runs the service can give it to you.",
    ACCOUNT_NOT_ACTIVE: "The platform has closed your account. Ask there to have it opened.",
    CREDENTIAL_NOT_FOUND: "There is no such credential, or none that you may know of.",
    LEARNER_NOT_FOUND: "There is no record of such a learner.",
    LEARNING_CONTEXT_NOT_FOUND: "There is no such course or path, or none that you may know of.",
    CONFIGURATION_NOT_FOUND: "There is no such credential configuration.",
    CREDENTIAL_TYPE_NOT_FOUND: "There is no such credential type.",
    ASSET_NOT_FOUND: "There is no such asset.",
    RUN_NOT_FOUND: "There is no such run.",
    WEBHOOK_ENDPOINT_NOT_FOUND: "There is no such webhook endpoint.",
    NOT_ELIGIBLE: "{username} has not earned it yet.",
    NOT_EARNED_ANEW:
      "{username} has no new results since the credential was issued, which its renewal takes.",
    NO_FULL_NAME: "The record of {username} has no name to print. Add it on the platform.",
    NO_CONTEXT_RECORD: "The platform has not told of the course or path {learning_context_key}.",
    NOT_PRINTABLE: "The document can’t be made: no font has a character, or a text does not fit.",
    WRONG_STATUS: "The status of the credential does not allow it: {status}.",
    INVALIDATED_BEFORE: "It was invalidated before, for another reason: {invalidation_reason}",
    RENEWED: "Another credential has renewed it.",
    EXPIRED: "It has expired.",
    LEARNER_ERASED: "The learner was erased.",
    IN_USE: "Something else still needs it.",
    NO_ADDRESS: "The record of {username} has no mail address. Add it on the platform.",
    PLAN_CHANGED: "What would happen is not what you saw: something has changed. Look at it again.",
    ETAG_MISMATCH: "Somebody has changed it since you opened it. Open it again, then change it.",
    OVERLOADED: "Too much is asked of the service at once. Try again in a moment.",
    DATABASE_UNAVAILABLE: "The database can’t do this at the moment. Try again in a moment.",
    STORE_UNAVAILABLE: "The store of the files can’t be reached. Try again in a moment.",
    MAIL_UNAVAILABLE: "The mail server can’t be reached. Try again in a moment.",
    DEADLINE_EXCEEDED: "It took too long. Ask for less, or try again.",
  },
  /** Fields of requests, by the last part of their path. */
  fields: {
    username: "the username",
    usernames: "the list of usernames",
    reason: "the reason",
    query: "the search",
    learning_context_key: "the key of the course or path",
    configuration_id: "the configuration",
    uuid: "the credential’s UUID",
    uuids: "the list of UUIDs",
    credential_uuid: "the credential’s UUID",
    replacement_uuid: "the replacement’s UUID",
    issuance_run_id: "the run",
    created_from: "the first day",
    page_token: "the page of the list; open the list anew",
    plan_hash: "the plan",
    full_name: "the full name",
    email: "the mail address",
  },
  /** `{field}` is one of `fields`, or the path of another one. */
  wrongField: "This is not valid: {field}.",
};

export type ExplanationsWording = typeof words;
