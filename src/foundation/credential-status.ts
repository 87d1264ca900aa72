/**
 * State of a credential: `generating -> available | error`, `error -> generating` (a retry), `available ->
 * invalidated`. Nothing follows `invalidated`. Expiry and renewal are not statuses: the database's clock
 * decides the one, the existence of a successor the other.
 */
export type CredentialStatus = "generating" | "available" | "error" | "invalidated";

/** The status as messages say it. */
export function statusWord(status: CredentialStatus): string {
  return status === "error" ? "failed" : status;
}

/** The statuses that verification knows: the document was generated, and may be in circulation. */
export type VerifiableStatus = Extract<CredentialStatus, "available" | "invalidated">;

/**
 * Returns SQL conditions on the row of a credential. Only this function knows which statuses mean what.
 * @param row name of the row in the statement, such as `credential`; by default, columns are not qualified
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

/** Conditions on a row; none has a binding. */
export interface StatusSql {
  readonly isGenerating: string;
  readonly isAvailable: string;
  readonly isFailed: string;
  readonly isInvalidated: string;
  readonly isFailedOrInvalidated: string;
  /** Verification knows the credential. */
  readonly isVerifiable: string;
  readonly isGeneratedOrGenerating: string;
  /**
   * It is the credential that a learner can have under a configuration: neither invalidated nor renewed. The
   * partial index has the same condition.
   */
  readonly isActive: string;
  /** By the database's clock; true or false, never null. */
  readonly isExpired: string;
  /** The learner has it and needs no other: it is active, has not failed, and has not expired. */
  readonly isInForce: string;
}
