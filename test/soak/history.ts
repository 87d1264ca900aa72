/** The times when a request was sent and when its response arrived, in milliseconds of `performance.now()`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A value that a register has or may have had, with its number. */
export interface Version<T> {
  readonly number: number;
  readonly value: T;
}

/**
 * A register in which a write only replaces earlier values, in whatever order the writes arrive. A reader never sees a
 * value that is older than the one known before the request, or a value that was only sent after the response.
 */
export interface History<T> {
  /** Records that a write of the value is about to be sent. @returns its number */
  begin(value: T, at: number): number;
  /**
   * Records that the register had this value, or a later one, at this time, because a write was acknowledged or a
   * reader saw the value.
   */
  settle(number: number, at: number): void;
  /** The values that a request in this span may see, oldest first. Empty if none had been sent. */
  possible(span: Span): Version<T>[];
  /** Whether a reader at this time certainly sees a value. */
  isThere(at: number): boolean;
  latest(): T | undefined;
}

export function createHistory<T>(): History<T> {
  const versions: { value: T; begun: number }[] = [];
  const floors: { number: number; at: number }[] = [];

  const floorAt = (at: number) => floors.findLast((floor) => floor.at <= at)?.number;

  return {
    begin(value, at) {
      versions.push({ value, begun: at });
      return versions.length - 1;
    },

    settle(number, at) {
      if (number > (floors.at(-1)?.number ?? -1)) floors.push({ number, at });
    },

    possible({ from, to }) {
      const lowest = floorAt(from) ?? 0;
      return versions.flatMap(({ value, begun }, number) =>
        number >= lowest && begun <= to ? [{ number, value }] : [],
      );
    },

    isThere: (at) => floorAt(at) !== undefined,
    latest: () => versions.at(-1)?.value,
  };
}
