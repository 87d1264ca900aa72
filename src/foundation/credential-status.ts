/**
 * Transitions: `generating -> available | error`, `error -> generating` (retry), `available -> invalidated`.
 * `invalidated` is final. Expiry and renewal are not statuses: expiry depends on the database's clock, renewal on
 * whether a successor exists.
 */
export type CredentialStatus = "generating" | "available" | "error" | "invalidated";

/** Returns the predicate for a status in messages, for example `is available`. */
export function describeStatus(status: CredentialStatus): string {
  return status === "error" ? "has failed" : `is ${status}`;
}

/**
 * Statuses of credentials whose document was generated. The document may be in circulation, so verification shows the
 * status.
 */
export type VerifiableStatus = Extract<CredentialStatus, "available" | "invalidated">;

/**
 * Returns SQL conditions on a credential. The meaning of statuses is defined only here.
 * @param row name of the row in the statement, for example `credential`. Default: columns are not qualified
 */
export function statusSql(row = ""): StatusSql {
  const column = (name: string) => (row === "" ? name : `${row}.${name}`);
  const status = column("status");
  const isExpired = `coalesce(${column("valid_until")} <= now(), false)`;
  const isActive = `${status} <> 'invalidated' and ${column("renewed_at")} is null`;
  return {
    isGenerating: `${status} = 'generating'`,
    isAvailable: `${status} = 'available'`,
    isFailed: `${status} = 'error'`,
    isInvalidated: `${status} = 'invalidated'`,
    isFailedOrInvalidated: `${status} in ('error', 'invalidated')`,
    isVerifiable: `${status} in ('available', 'invalidated')`,
    isGeneratedOrGenerating: `${status} in ('generating', 'available')`,
    isActive,
    isExpired,
    isInForce: `${status} in ('generating', 'available') and ${column("renewed_at")} is null and not ${isExpired}`,
  };
}

/** SQL conditions on a row, without bindings. */
interface StatusSql {
  readonly isGenerating: string;
  readonly isAvailable: string;
  readonly isFailed: string;
  readonly isInvalidated: string;
  readonly isFailedOrInvalidated: string;
  /** The credential can be verified. */
  readonly isVerifiable: string;
  readonly isGeneratedOrGenerating: string;
  /**
   * The credential is neither invalidated nor renewed. A learner can have only one such credential under a
   * configuration. The partial index has the same condition.
   */
  readonly isActive: string;
  /** The credential has expired, by the database's clock. The result is never null. */
  readonly isExpired: string;
  /** The learner has the credential and needs no other: it is active, hasn't failed, and hasn't expired. */
  readonly isInForce: string;
}
