import type { Contest } from "./figure.js";

/** The result of all rounds. `ratio` compares the two sides within a round. */
export interface Measured {
  readonly subject: Summary;
  readonly baseline: Summary;
  readonly ratio: Summary;
}

export interface Summary {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
  /** All values, in ascending order. */
  readonly values: readonly number[];
}

/**
 * Measures both sides in turn. The side that starts alternates, so that drift favours neither side. The first round is
 * a warm-up.
 */
export async function measure(contest: Contest, rounds: number): Promise<Measured> {
  const subject: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const sides = [
      async () => subject.push(await contest.subject()),
      async () => baseline.push(await contest.baseline()),
    ];
    for (const side of round % 2 === 0 ? sides : sides.reverse()) await side();
  }
  const ratios = subject.map((amount, round) => amount / (baseline[round] ?? Number.NaN));
  const summary = (values: number[]) => summarize(values.slice(1));
  return { subject: summary(subject), baseline: summary(baseline), ratio: summary(ratios) };
}

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    lowest: at(0),
    highest: at(sorted.length - 1),
    values,
  };
}
