/** Pending hints of one connector. */
export interface HintDelay {
  readonly connector: string;
  readonly hints: number;
  /** Seconds by which the oldest one is overdue. */
  readonly overdue: number;
}

/** Metrics about reading platforms. */
export interface ConnectorMetrics {
  request(connector: string, endpoint: string, code: string, seconds: number): void;
  throttled(connector: string, seconds: number): void;
  /** Counts records by outcome: read, written, withdrawn, rejected, erased. */
  records(connector: string, kind: string, outcome: string, count: number): void;
  /** @param held number of withdrawals that await approval */
  sweep(connector: string, state: string, held: number): void;
  /** Counts a message of an event bus. */
  event(connector: string, outcome: string): void;
  /** Measures pending hints whenever metrics are read. */
  watchHints(measure: () => Promise<readonly HintDelay[]>): void;
  /** Measures the remaining seconds of each platform's pause whenever metrics are read. */
  watchPauses(
    measure: () => Promise<readonly { readonly connector: string; readonly seconds: number }[]>,
  ): void;
}
