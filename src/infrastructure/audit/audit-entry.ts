/** The outcome of what succeeds; others are error codes. */
export const SUCCEEDED = "Ok";

/** Who acts. */
export interface AuditCaller {
  readonly kind: "user" | "staff" | "service" | "command line";
  /** Username, name of a service, or account of the operating system. */
  readonly name: string;
  /** `iss` and `sub` of the token; empty where it does not say them. */
  readonly issuer?: string;
  readonly subject?: string;
}

/** What is acted on. */
export interface AuditObjects {
  /** Usernames. */
  readonly learners: readonly string[];
  /** All other objects, as `kind:value`. */
  readonly others: readonly string[];
}

/** A value that a call has changed. */
export interface AuditChange {
  /** What it belongs to, as `kind:value`. */
  readonly object: string;
  /** Its place, such as `customOptions.title.size`. */
  readonly path: string;
  /** As JSON; empty: there was none. */
  readonly before: string;
  readonly after: string;
}

/** An entry of the audit trail before it is written. */
export interface AuditEntry extends AuditObjects {
  readonly caller: AuditCaller;
  /** Full name of a method of the API, or a command. */
  readonly method: string;
  readonly requestId: string;
  /** Address that the call came from; empty on the command line. */
  readonly source: string;
  /** For the further messages of a stream: the entry of its first one. */
  readonly partOf?: number;
  /** `SUCCEEDED` or the error code of a call that has ended. */
  readonly code?: string;
}

/** An entry of the audit trail as it is read. */
export interface AuditRecord extends Required<Omit<AuditEntry, "partOf" | "code">> {
  readonly id: number;
  readonly enteredAt: Date;
  /** null: the call has not ended, or the process died first */
  readonly code: string | null;
  readonly changes: readonly AuditChange[];
}
