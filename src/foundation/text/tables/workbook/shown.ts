/** What a cell shows. */
export interface Shown {
  readonly text: string;
  /** If its format has a day: that day, as `2026-06-30`. */
  readonly day?: string;
  /** The number with all its digits, where the text shows less or otherwise: `59.6` for `60`, `59.6%` for `60%`. */
  readonly stored?: string;
}
