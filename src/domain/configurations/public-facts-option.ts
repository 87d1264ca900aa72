import { z } from "zod";

/** The option of every type and configuration that decides what the verification page states of a learner's results. */
export const PUBLIC_FACTS = "public_facts";

const publicFacts = z
  .array(z.enum(["grade", "completion", "learner_id"]))
  .refine((facts) => new Set(facts).size === facts.length, "must not repeat a fact")
  .describe(
    "Facts about the learner that the public verification page states, if the document prints them: grade, completion, learner_id; default: none; the page then says that it does not confirm them",
  );

export const publicFactsOptions = z.object({ [PUBLIC_FACTS]: publicFacts.optional() });

export type PublicFact = z.output<typeof publicFacts>[number];

/** Reads the option as a credential keeps it. */
export function storedPublicFacts(stored: unknown): readonly PublicFact[] {
  return publicFacts.safeParse(stored).data ?? [];
}
