/** Operations performed by the process that reads platforms. */
export const CONNECTOR_OPERATIONS = ["check connector", "plan sync", "sync"] as const;

/** Operations performed by workers. */
export const DOCTOR_OPERATIONS = ["diagnosis", "repair"] as const;

export const OPERATION_KINDS = [...CONNECTOR_OPERATIONS, ...DOCTOR_OPERATIONS] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

export type OperationState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** The progress of an operation. */
export interface OperationProgress {
  /** Current stage; empty if there is only one */
  readonly stage: string;
  readonly done: number;
  /** 0 if unknown */
  readonly total: number;
}

/** Options of an operation, by its kind. */
export interface OperationOptions {
  /** For a diagnosis: whether to read every file completely and compare hashes. */
  readonly withHashes?: boolean;
  /** For a repair: the diagnosis whose findings to repair. */
  readonly diagnosisId?: number;
  /** For a sync: whether it may withdraw more learners than the limit. */
  readonly acceptsWithdrawals?: boolean;
}

/** A long-running task, requested by staff. */
export interface Operation {
  readonly id: number;
  readonly kind: OperationKind;
  /** Empty if the operation is not about a connector. */
  readonly connector: string;
  readonly options: OperationOptions;
  readonly state: OperationState;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly beganAt: Date | null;
  readonly endedAt: Date | null;
  readonly progress: Partial<OperationProgress>;
  readonly result: unknown;
  /** Why the operation failed. */
  readonly error: string;
}

/** Performs an operation. @param tell reports its progress @returns its result, as JSON */
export type DoOperation = (
  operation: Operation,
  tell: (progress: OperationProgress) => void,
  signal: AbortSignal,
) => Promise<object>;
