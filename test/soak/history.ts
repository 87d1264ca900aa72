/** When a request was sent and when its answer was there, in milliseconds of `performance.now()`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One of the values that something has had or may have had, by its number. */
export interface Version<T> {
  readonly number: number;
  readonly value: T;
}

/**
 * Something that is only ever replaced by a later value, however its writes race: whoever looks sees no older value than
 * was known to be there before he asked, and no value that nobody had sent before he was answered.
 */
export interface History<T> {
  /** A value is about to be written. @returns its number */
  begin(value: T, at: number): number;
  /** By this moment the value, or a later one, was there: its write was acknowledged, or somebody has seen it. */
  settle(number: number, at: number): void;
  /** What may be seen by who asks and is answered in this span, oldest first; empty: nothing was sent yet. */
  possible(span: Span): Version<T>[];
  /** Whether something is sure to be seen. */
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
