import { z } from "zod";
import { createFunctions } from "#domain/configurations/functions.js";
import { createProgressLookUp, type LookUpProgress } from "#domain/eligibility/learner-progress.js";
import { listEligibleLearners } from "#domain/eligibility/list-eligible-learners.js";
import { previewEligibility } from "#domain/eligibility/preview-eligibility.js";
import { builtInProcessors } from "#domain/eligibility/processor.js";
import { reportEligibility } from "#domain/eligibility/report-eligibility.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { givenDatabase } from "../support/database.js";
import { type Academy, contextOf, type OfferedCredential } from "./academy.js";

/** A generator that creates no documents. */
const anyDocument = {
  name: "learning_credentials.generators.generate_pdf_credential",
  summary: "",
  options: z.strictObject({}),
};

/**
 * Prepares a database for academies. Returns functions that look up who is eligible, and the progress of one learner.
 */
export function givenAcademies() {
  const functions = createFunctions(builtInProcessors, [anyDocument]);
  const { signal } = new AbortController();
  const db = givenDatabase();
  let lookUpProgress: LookUpProgress | undefined;
  return {
    db,
    functions,
    async listed(configurationId: number): Promise<string[]> {
      const usernames: string[] = [];
      for await (const batch of listEligibleLearners(db.database, functions, configurationId, signal)) {
        usernames.push(...batch);
      }
      return usernames;
    },
    reported(academy: Academy, username: string) {
      const key = parseLearningContextKey(contextOf(academy));
      const question = { username, key, retrievalFunc: "", requestedBy: "staff-about-self" } as const;
      lookUpProgress ??= createProgressLookUp(db.database);
      return reportEligibility(lookUpProgress, functions, question, new Cancellation());
    },
    /** Evaluates a requirement tree that belongs to no configuration. */
    previewedTree(academy: Academy, options: object, requiredSteps: number | undefined, username: string) {
      return previewEligibility(db.database.knex, functions, {
        key: parseLearningContextKey(contextOf(academy)),
        retrievalFunc: "learning_credentials.processors.retrieve_requirements",
        typeOptions: { ...options },
        customOptions: requiredSteps === undefined ? {} : { required_steps: requiredSteps },
        username,
        configurationId: 0,
        organisations: undefined,
      });
    },
    /**
     * Evaluates the same requirements without a configuration: some of them as options of the type, the others as
     * options of the configuration.
     */
    previewed(academy: Academy, { retrieval, options }: OfferedCredential, username: string) {
      const { required_grades: grades, ...others } = options;
      return previewEligibility(db.database.knex, functions, {
        key: parseLearningContextKey(contextOf(academy)),
        retrievalFunc: `learning_credentials.processors.${retrieval}`,
        typeOptions: { ...others },
        customOptions: grades ? { required_grades: grades } : {},
        username,
        configurationId: 0,
        organisations: undefined,
      });
    },
  };
}
