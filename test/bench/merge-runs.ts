import type { Line } from "./report.js";
import { type Summary, summarize } from "./rounds.js";

/** Merges several runs into one, with the median of each figure's medians and the spread of all rounds. */
export function mergeRuns(runs: readonly (readonly Line[])[]): Line[] {
  const all = runs.flat();
  const figures = new Map(all.map(({ figure }) => [figure.name, figure]));
  return [...figures.values()].map((figure) => {
    const lines = all.filter((line) => line.figure.name === figure.name);
    return {
      figure,
      subject: merge(lines.map(({ subject }) => subject)),
      baseline: merge(lines.map(({ baseline }) => baseline)),
      ratio: merge(lines.map(({ ratio }) => ratio)),
    };
  });
}

function merge(summaries: readonly Summary[]): Summary {
  return {
    ...summarize(summaries.map(({ median }) => median)),
    lowest: Math.min(...summaries.map(({ lowest }) => lowest)),
    highest: Math.max(...summaries.map(({ highest }) => highest)),
  };
}
