import type { Stage } from "./stage.js";

/** Something that is measured, beside a bare baseline of the same run. */
export interface Figure {
  /** How it is chosen on the command line. */
  readonly name: string;
  readonly subject: string;
  readonly baseline: string;
  /** What both sides are measured in, such as `requests/s`, or `MB`. */
  readonly unit: string;
  /** The ratio of the subject to the baseline that is to be reached; or how much the subject may take, usually or ever. */
  readonly reach: number | { readonly usually: number } | { readonly ever: number };
  /** How often it is measured after the first time, where that is a matter of the figure and not of the run. */
  readonly rounds?: number;
  /** Fills the stage's database and starts what is needed, on both sides. */
  prepare(stage: Stage): Promise<Contest>;
}

/** Both sides, ready to be measured again and again; each gives an amount of the figure's unit. */
export interface Contest {
  subject(): Promise<number>;
  baseline(): Promise<number>;
}
