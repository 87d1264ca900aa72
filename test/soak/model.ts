import { createAnswers } from "./answers.js";
import { createAttempts } from "./attempts.js";
import { createKnowledge, type Offer } from "./knowledge.js";

/**
 * A model of what may be true of learners and their credentials, given the responses so far.
 * A method that takes a span throws `WrongAnswer` if its response can't be true at any moment of the span. Otherwise it
 * learns from it. Attempts are started before they are sent; one whose response was lost stays possible forever.
 */
export type Model = ReturnType<typeof createModel>;

export function createModel(offers: readonly Offer[]) {
  const knowledge = createKnowledge(offers);
  return { ...createAnswers(knowledge), ...createAttempts(knowledge) };
}
