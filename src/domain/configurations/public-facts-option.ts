import { z } from "zod";
import { help } from "#foundation/languages/option-help.js";

/** The option of every type and configuration that lists which of a learner's results the verification page shows. */
export const PUBLIC_FACTS = "public_facts";

const publicFacts = z
  .array(z.enum(["grade", "completion", "learner_id"]))
  .refine((facts) => new Set(facts).size === facts.length, "must not repeat a fact")
  .meta(help("public_facts"));

export const publicFactsOptions = z.object({ [PUBLIC_FACTS]: publicFacts.optional() });

type PublicFact = z.output<typeof publicFacts>[number];

export function storedPublicFacts(stored: unknown): readonly PublicFact[] {
  return publicFacts.safeParse(stored).data ?? [];
}
