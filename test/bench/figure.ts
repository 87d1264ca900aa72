import type { Stage } from "./stage.js";

/** Something that is measured, as a ratio to a bare baseline of the same run. */
export interface Figure {
  /** How it is chosen on the command line. */
  readonly name: string;
  readonly subject: string;
  readonly baseline: string;
  /** What is counted, such as `requests`; both sides are measured in these per second. */
  readonly unit: string;
  /** The ratio that the subject is to reach. */
  readonly reach: number;
  /** Fills the stage's database and starts what is needed, on both sides. */
  prepare(stage: Stage): Promise<Contest>;
}

/** Both sides, ready to be measured again and again; each gives units per second. */
export interface Contest {
  subject(): Promise<number>;
  baseline(): Promise<number>;
}

/** Runs `work` over `units` of something, and tells how many that makes a second. */
export async function perSecond(units: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (units * 1000) / (performance.now() - started);
}
