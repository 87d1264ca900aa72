/** What a cell shows. */
export interface Shown {
  readonly text: string;
  /** If its format has a day: that day, as `2026-06-30`. */
  readonly day?: string;
}
