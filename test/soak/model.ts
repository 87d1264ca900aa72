import { createAnswers } from "./answers.js";
import { createAttempts } from "./attempts.js";
import { createKnowledge, type Offer } from "./knowledge.js";

/**
 * A model of the possible states of learners and their credentials, given the responses so far.
 * A method that takes a span throws `WrongAnswer` if the response can't be true at any time in the span. Otherwise, it
 * learns from the response. Attempts are recorded before they are sent. An attempt whose response was lost remains
 * possible for the whole test.
 */
export type Model = ReturnType<typeof createModel>;

export function createModel(offers: readonly Offer[]) {
  const knowledge = createKnowledge(offers);
  return { ...createAnswers(knowledge), ...createAttempts(knowledge) };
}
