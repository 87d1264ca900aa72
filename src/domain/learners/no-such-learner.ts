import { Problem } from "#foundation/errors.js";

export function noSuchLearner(username: string): Problem {
  return new Problem("not-found", `There is no learner named ${JSON.stringify(username)}.`, {
    reason: "LEARNER_NOT_FOUND",
    facts: { username },
  });
}
