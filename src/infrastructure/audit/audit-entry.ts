/** The outcome of a successful call; other outcomes are error codes. */
export const SUCCEEDED = "Ok";

/** The caller of a recorded call. */
export interface AuditCaller {
  readonly kind: "user" | "staff" | "service" | "command line";
  /** Username, service name, or operating system account. */
  readonly name: string;
  /** `iss` and `sub` of the token; empty if it has none. */
  readonly issuer?: string;
  readonly subject?: string;
}

/** The objects of a call. */
export interface AuditObjects {
  /** Usernames. */
  readonly learners: readonly string[];
  /** All other objects, as `kind:value`. */
  readonly others: readonly string[];
}

/** A value that was changed by a call. */
export interface AuditChange {
  /** The changed object, as `kind:value`. */
  readonly object: string;
  /** Path of the value, for example `customOptions.title.size`. */
  readonly path: string;
  /** As JSON; empty if there was no value. */
  readonly before: string;
  readonly after: string;
}

/** An entry for the audit trail. */
export interface AuditEntry extends AuditObjects {
  readonly caller: AuditCaller;
  /** Full name of an API method, or a command. */
  readonly method: string;
  readonly requestId: string;
  /** Source address of the call; empty on the command line. */
  readonly source: string;
  /** For a later message of a stream: the entry of its first message. */
  readonly partOf?: number;
  /** `SUCCEEDED` or the error code; absent until the call ends. */
  readonly code?: string;
}

/** A stored entry of the audit trail. */
export interface AuditRecord extends Required<Omit<AuditEntry, "partOf" | "code">> {
  readonly id: number;
  readonly enteredAt: Date;
  /** null if the call has not ended, or the process died first */
  readonly code: string | null;
  readonly changes: readonly AuditChange[];
}
