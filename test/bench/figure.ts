import type { Stage } from "./stage.js";

/** A measurement, compared with a bare baseline in the same run. */
export interface Figure {
  /** Name of the figure on the command line. */
  readonly name: string;
  readonly subject: string;
  readonly baseline: string;
  /** Unit of both sides, for example `requests/s` or `MB`. */
  readonly unit: string;
  /** Ratio of subject to baseline that must be reached, or the amount that the subject usually doesn't exceed. */
  readonly reach: number | { readonly usually: number };
  /** Number of rounds after the first round, if it differs from the default. */
  readonly rounds?: number;
  /** Fills the stage's database and starts what both sides need. */
  prepare(stage: Stage): Promise<Contest>;
}

/** Both sides, ready for repeated measurement. Each returns an amount in the figure's unit. */
export interface Contest {
  subject(): Promise<number>;
  baseline(): Promise<number>;
}
