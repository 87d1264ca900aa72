/** When a request was sent and when its response arrived, in milliseconds of `performance.now()`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One of the values that something has had or may have had, with its number. */
export interface Version<T> {
  readonly number: number;
  readonly value: T;
}

/**
 * A register whose value is only replaced by later ones, however its writes race.
 * A reader sees no value older than the one known before the request, and none sent only after the response.
 */
export interface History<T> {
  /** Records that a write of the value is about to be sent. @returns its number */
  begin(value: T, at: number): number;
  /** Records that the value, or a later one, was there at this moment: its write was acknowledged, or a reader saw it. */
  settle(number: number, at: number): void;
  /** The values that a request in this span may see, oldest first; empty if none was sent yet. */
  possible(span: Span): Version<T>[];
  /** Whether a reader at this moment is sure to see some value. */
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
