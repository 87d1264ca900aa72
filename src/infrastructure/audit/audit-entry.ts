/** The outcome of a successful call. Other outcomes are error codes. */
export const SUCCEEDED = "Ok";

export interface AuditCaller {
  readonly kind: "user" | "staff" | "service" | "command line";
  /** Username, service name, or operating system account. */
  readonly name: string;
  /** `iss` and `sub` of the caller's token, if present. */
  readonly issuer?: string;
  readonly subject?: string;
}

export interface AuditObjects {
  /** Usernames. */
  readonly learners: readonly string[];
  /** As `kind:value`. */
  readonly others: readonly string[];
}

export interface AuditChange {
  /** As `kind:value`. */
  readonly object: string;
  /** Example: `customOptions.title.size`. */
  readonly path: string;
  /** As JSON; empty if there was no value. */
  readonly before: string;
  readonly after: string;
}

export interface AuditEntry extends AuditObjects {
  readonly caller: AuditCaller;
  /** Full name of an API method, or a command. */
  readonly method: string;
  readonly requestId: string;
  /** IPv4 address, or the first 64 bits of an IPv6 address; empty on the command line. */
  readonly source: string;
  /** Id of an earlier entry to which this entry adds objects, for example those of a later message of a stream. */
  readonly firstEntryId?: number;
  /** `SUCCEEDED` or the error code; absent until the call ends. */
  readonly code?: string;
}

export interface AuditRecord extends Required<Omit<AuditEntry, "firstEntryId" | "code">> {
  readonly id: number;
  readonly enteredAt: Date;
  /** Null if the call has not ended, or the process stopped before it ended. */
  readonly code: string | null;
  readonly changes: readonly AuditChange[];
}
