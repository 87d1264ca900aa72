/** The displayed contents of a cell. */
export interface Shown {
  readonly text: string;
  /** The day, for example `2026-06-30`, if the cell's format contains a day. */
  readonly day?: string;
  /** The number with all its digits, if the text doesn't show it exactly: `59.6` for `60`, `59.6%` for `60%`. */
  readonly stored?: string;
}
