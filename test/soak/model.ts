import { createAnswers } from "./answers.js";
import { createAttempts } from "./attempts.js";
import { createKnowledge, type Offer } from "./knowledge.js";

/**
 * What may be true of learners and their credentials, as far as the answers so far tell. Each method that takes a span
 * throws `WrongAnswer` when its answer can't be true at any moment of the span, and else learns from it. Attempts are
 * begun before they are sent; one whose answer was lost stays possible for ever.
 */
export type Model = ReturnType<typeof createModel>;

export function createModel(offers: readonly Offer[]) {
  const knowledge = createKnowledge(offers);
  return { ...createAnswers(knowledge), ...createAttempts(knowledge) };
}
