/** A position in a database's write-ahead log. */
export interface Position {
  /** Server, database and timeline. Positions of different histories can't be compared. */
  readonly history: string;
  /** Bytes since the log's beginning. */
  readonly lsn: number;
}

/** What is known of the primary's write-ahead log, by this process's clock alone. */
export interface Freshness {
  /** Remembers where the primary was. `askedAt` is the time before it was asked, in milliseconds of this process. */
  note(askedAt: number, position: Position): void;
  /**
   * Returns a time at which everything committed until then was contained in this position. What is read
   * after a standby had replayed it is no older than that. undefined: no such time is known
   */
  asOf(replayed: Position): number | undefined;
}

/**
 * Remembers positions for `keptMs` milliseconds.
 *
 * A standby's position says what it contains only within one history. After a failover, one that was cut off
 * may have replayed more of the old timeline than the new primary ever had, so a mark of another history
 * counts for nothing, and a new history replaces all marks.
 */
export function createFreshness(keptMs: number): Freshness {
  let marks: { readonly askedAt: number; readonly position: Position }[] = [];
  return {
    note(askedAt, position) {
      marks = marks.filter(
        (mark) => mark.position.history === position.history && mark.askedAt > askedAt - keptMs,
      );
      marks.push({ askedAt, position });
    },
    asOf({ history, lsn }) {
      return marks.findLast(({ position }) => position.history === history && position.lsn <= lsn)?.askedAt;
    },
  };
}
