/** Hints of one connector that wait. */
export interface HintDelay {
  readonly connector: string;
  readonly hints: number;
  /** Seconds that the oldest one is overdue. */
  readonly overdue: number;
}

/** What is reported of reading platforms. */
export interface ConnectorMetrics {
  request(connector: string, endpoint: string, code: string, seconds: number): void;
  throttled(connector: string, seconds: number): void;
  /** Counts records by what was done with them: read, written, withdrawn, rejected, erased. */
  records(connector: string, kind: string, outcome: string, count: number): void;
  /** @param held withdrawals that wait to be accepted */
  sweep(connector: string, state: string, held: number): void;
  /** Counts a message of an event bus. */
  event(connector: string, outcome: string): void;
  /** Measures waiting hints whenever metrics are read. */
  watchHints(measure: () => Promise<readonly HintDelay[]>): void;
  /** Measures, whenever metrics are read, for how many seconds platforms are still left alone. */
  watchPauses(
    measure: () => Promise<readonly { readonly connector: string; readonly seconds: number }[]>,
  ): void;
}
