import type { Stage } from "./stage.js";

/** Something to measure, compared with a bare baseline in the same run. */
export interface Figure {
  /** Its name on the command line. */
  readonly name: string;
  readonly subject: string;
  readonly baseline: string;
  /** The unit of both sides, such as `requests/s`, or `MB`. */
  readonly unit: string;
  /** The ratio of subject to baseline that must be reached, or the most that the subject may usually take. */
  readonly reach: number | { readonly usually: number };
  /** The number of rounds after the first, if the figure needs its own number. */
  readonly rounds?: number;
  /** Fills the stage's database and starts what both sides need. */
  prepare(stage: Stage): Promise<Contest>;
}

/** Both sides, ready for repeated measurement; each returns an amount in the figure's unit. */
export interface Contest {
  subject(): Promise<number>;
  baseline(): Promise<number>;
}
