/** What a server has told of itself. Times of this process are those of `performance.now()`. */
export interface Reading {
  /** Server, database and timeline. Positions of different histories can't be compared. */
  readonly history: string;
  /** Position in the write-ahead log: bytes since its beginning. */
  readonly lsn: number;
  /** The server's clock, in milliseconds. */
  readonly clock: number;
  /** When this process began to ask. */
  readonly askedAt: number;
  /** When it had the answer. */
  readonly answeredAt: number;
}

/** What is known of the primary's write-ahead log, by this process's clock alone. */
export interface Freshness {
  /** Remembers what the primary has told. */
  note(primary: Reading): void;
  /**
   * Returns a time at which everything committed until then was contained in what a standby had replayed.
   * What is read there afterwards is no older than that. undefined: no such time is known
   */
  asOf(replica: Reading): number | undefined;
  /** By how many milliseconds the standby's clock differs from the primary's at least. */
  clockDifference(replica: Reading): number;
}

/**
 * Remembers readings for `keptMs` milliseconds.
 *
 * A standby's position says what it contains only within one history. After a failover, a standby that was cut off
 * may have replayed more of the old timeline than the new primary ever had. So a reading of another history counts
 * for nothing, and a new history replaces all.
 */
export function createFreshness(keptMs: number): Freshness {
  let readings: Reading[] = [];
  return {
    note(primary) {
      readings = readings.filter(
        ({ history, askedAt }) => history === primary.history && askedAt > primary.askedAt - keptMs,
      );
      readings.push(primary);
    },
    asOf({ history, lsn }) {
      return readings.findLast((primary) => primary.history === history && primary.lsn <= lsn)?.askedAt;
    },
    clockDifference(replica) {
      const primary = readings.at(-1);
      return primary ? Math.max(0, aheadOf(primary, replica), aheadOf(replica, primary)) : 0;
    },
  };
}

/**
 * By how many milliseconds one's clock is ahead of the other's at least. Each was read at some time between
 * question and answer.
 */
function aheadOf(one: Reading, other: Reading): number {
  return one.clock - one.answeredAt - (other.clock - other.askedAt);
}
