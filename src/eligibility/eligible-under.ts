import type { Knex } from "knex";
import { findConfiguration } from "../configurations/configuration-store.js";
import type { CredentialType } from "../configurations/credential-type.js";
import type { Functions } from "../configurations/functions.js";
import { noSuchConfiguration } from "../configurations/manage-configurations.js";
import { mergeOptions } from "../configurations/options.js";
import { findType } from "../configurations/type-store.js";
import { queryRow } from "../db/query.js";
import type { Query } from "../db/transaction.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import {
  type CourseRequirement,
  eligibleLearners,
  type GradingPolicies,
  learnersWithNewResults,
  readGradingPolicies,
} from "./eligible-learners.js";
import { criteriaIn } from "./evaluate-eligibility.js";
import type { Processor } from "./processor.js";

/** The rules that decide who is eligible under a configuration. */
export interface EligibilityRules {
  readonly learningContextKey: string;
  /** In the order of the path; for a course, the course itself. */
  readonly courses: readonly CourseRequirement[];
  readonly policies: GradingPolicies;
}

/** @throws Problem `not-found` */
export async function readEligibilityRules(
  transaction: Knex.Transaction,
  functions: Functions<Processor>,
  configurationId: number,
): Promise<EligibilityRules> {
  const configuration = await findConfiguration(transaction, configurationId);
  if (!configuration) throw noSuchConfiguration(configurationId);
  const type = (await findType(transaction, configuration.credentialTypeId)) as CredentialType;
  const processor = functions.retrieval(type.retrievalFunc);
  const options = mergeOptions(type.customOptions, configuration.customOptions);
  const { learningContextKey } = configuration;
  const isPath = parseLearningContextKey(learningContextKey).kind === "path";
  const courseKeys = isPath ? await stepsOf(transaction, learningContextKey) : [learningContextKey];
  const policies = await readGradingPolicies(transaction, courseKeys);
  const courses = courseKeys.map((courseKey) => ({
    courseKey,
    criteria: criteriaIn(courseKey, isPath, options, processor),
  }));
  return { learningContextKey, courses, policies };
}

/** Returns the query for the usernames of all learners who are eligible under a configuration. */
export function eligibleUnder({ learningContextKey, courses, policies }: EligibilityRules): Query {
  return eligibleLearners(learningContextKey, courses, policies);
}

/**
 * Returns the query for the usernames of those who meet the requirements by new results alone.
 * @param earlier gives `username` and `counted_from`, the time from which results are new
 */
export function withNewResultsUnder({ courses, policies }: EligibilityRules, earlier: Query): Query {
  return learnersWithNewResults(courses, policies, earlier);
}

async function stepsOf(db: Knex, pathKey: string): Promise<string[]> {
  const path = await queryRow<{ step_course_keys: string[] }>(
    db,
    "select step_course_keys from learning_paths where path_key = ? and not is_deleted",
    [pathKey],
  );
  return path?.step_course_keys ?? [];
}
