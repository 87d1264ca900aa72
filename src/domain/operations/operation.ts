/** What the process that reads platforms does. */
export const CONNECTOR_OPERATIONS = ["check connector", "plan sync", "sync"] as const;

/** What a worker does. */
export const DOCTOR_OPERATIONS = ["diagnosis", "repair"] as const;

export const OPERATION_KINDS = [...CONNECTOR_OPERATIONS, ...DOCTOR_OPERATIONS] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

export type OperationState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** How far an operation has come. */
export interface OperationProgress {
  /** What it is at; empty: it has one stage only */
  readonly stage: string;
  readonly done: number;
  /** 0: not known */
  readonly total: number;
}

/** What is to be done how. */
export interface OperationOptions {
  /** Of a diagnosis: whether every byte is read. */
  readonly withHashes?: boolean;
  /** Of a repair: the diagnosis whose findings are repaired. */
  readonly diagnosisId?: number;
  /** Of a sync: whether it may withdraw more than the limit. */
  readonly acceptsWithdrawals?: boolean;
}

/** Something that takes long. */
export interface Operation {
  readonly id: number;
  readonly kind: OperationKind;
  /** Empty: it is about none. */
  readonly connector: string;
  readonly options: OperationOptions;
  readonly state: OperationState;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly beganAt: Date | null;
  readonly endedAt: Date | null;
  readonly progress: Partial<OperationProgress>;
  readonly result: unknown;
  /** Why it could not be done. */
  readonly error: string;
}

/** Does an operation. @param tell is told how far it is @returns its result, as JSON */
export type DoOperation = (
  operation: Operation,
  tell: (progress: OperationProgress) => void,
  signal: AbortSignal,
) => Promise<object>;
