/** Operations performed by the process that reads platforms. */
export const CONNECTOR_OPERATIONS = ["check connector", "plan sync", "sync"] as const;

/** Operations performed by workers. */
export const DOCTOR_OPERATIONS = ["diagnosis", "repair"] as const;

export const OPERATION_KINDS = [...CONNECTOR_OPERATIONS, ...DOCTOR_OPERATIONS] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

export type OperationState = "waiting" | "running" | "done" | "failed" | "cancelled";

export interface OperationProgress {
  /** Empty if there is only one stage. */
  readonly stage: string;
  readonly done: number;
  /** 0 if unknown. */
  readonly total: number;
}

export interface OperationOptions {
  /** Whether to read every file completely and compare its hash; only for a diagnosis. */
  readonly withHashes?: boolean;
  /** The diagnosis whose findings to repair; only for a repair. */
  readonly diagnosisId?: number;
  /** Whether the sync may withdraw more learners than the limit; only for a sync. */
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
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly beganAt: Date | null;
  readonly endedAt: Date | null;
  readonly progress: Partial<OperationProgress>;
  readonly result: unknown;
  readonly error: string;
}

/** Performs an operation. Returns its result, which is stored as JSON. */
export type DoOperation = (
  operation: Operation,
  onProgress: (progress: OperationProgress) => void,
  signal: AbortSignal,
) => Promise<object>;
