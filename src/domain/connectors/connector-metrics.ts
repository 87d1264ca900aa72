/** How far a connector is behind with hints, which are messages that a learner's data may have changed. */
interface HintDelay {
  readonly connector: string;
  readonly hints: number;
  /** Seconds by which the oldest hint is overdue. */
  readonly overdue: number;
}

export interface ConnectorMetrics {
  request(connector: string, endpoint: string, code: string, seconds: number): void;
  throttled(connector: string, seconds: number): void;
  /** Counts records by outcome: read, written, withdrawn, rejected, erased. */
  records(connector: string, kind: string, outcome: string, count: number): void;
  /** @param held number of withdrawals that await approval */
  sweep(connector: string, state: string, held: number): void;
  event(connector: string, outcome: string): void;
  /** `measure` is called whenever metrics are read. */
  watchHints(measure: () => Promise<readonly HintDelay[]>): void;
  /** Measures the remaining seconds of each pause whenever metrics are read. */
  watchPauses(
    measure: () => Promise<readonly { readonly connector: string; readonly seconds: number }[]>,
  ): void;
}
