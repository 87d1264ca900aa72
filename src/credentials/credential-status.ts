/**
 * Where a credential stands in its life: `generating -> available | error`, `error -> generating` (a retry),
 * `available -> invalidated`. Nothing leaves `invalidated`. That it has expired, or was renewed, is no status: the first is
 * told by the database's clock, the second by its successor.
 */
export type CredentialStatus = "generating" | "available" | "error" | "invalidated";

/** The statuses that verification knows: the document was made, and may be out in the world. */
export type VerifiableStatus = Extract<CredentialStatus, "available" | "invalidated">;

/**
 * What SQL asks of a credential's row. This is the one place that knows which statuses mean what.
 * @param row how the statement names the row, such as `credential`; by default its columns stand alone
 */
export function standingOf(row = ""): StandingSql {
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
    isMadeOrBeingMade: `${status} in ('generating', 'available')`,
    isActive,
    isExpired,
    isInForce: `${status} in ('generating', 'available') and ${column("renewed_at")} is null and not ${isExpired}`,
  };
}

/** Conditions on a row; none has a binding. */
export interface StandingSql {
  readonly isGenerating: string;
  readonly isAvailable: string;
  readonly isFailed: string;
  readonly isInvalidated: string;
  readonly isFailedOrInvalidated: string;
  /** Verification knows it. */
  readonly isVerifiable: string;
  readonly isMadeOrBeingMade: string;
  /** It is the one that a learner can have under a configuration: neither withdrawn nor renewed. Also the index's words. */
  readonly isActive: string;
  /** By the database's clock; true or false, never null. */
  readonly isExpired: string;
  /** The learner has it and needs no other: it is current, has not failed, and has not expired. */
  readonly isInForce: string;
}
