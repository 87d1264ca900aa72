import type { SampleLearner } from "./issuance-run.js";

/** Chooses learners whose documents are looked at before a run. */
export interface Samples {
  add(learner: SampleLearner): void;
  /** The first learner, the one with the longest name, and the last; each once. */
  chosen(): SampleLearner[];
}

export function createSamples(): Samples {
  let first: SampleLearner | undefined;
  let longest: SampleLearner | undefined;
  let last: SampleLearner | undefined;
  return {
    add({ username, userFullName }) {
      last = { username, userFullName };
      first ??= last;
      if (!longest || userFullName.length > longest.userFullName.length) longest = last;
    },
    chosen: () => [...new Set([first, longest, last])].filter((each) => each !== undefined),
  };
}
