import type { Knex } from "knex";
import { queryRows } from "#infrastructure/db/query.js";
import { findConfiguration } from "../configurations/configuration-store.js";
import type { CredentialType } from "../configurations/credential-type.js";
import type { Functions } from "../configurations/functions.js";
import { noSuchConfiguration } from "../configurations/manage-configurations.js";
import { mergeOptions, type Options } from "../configurations/options.js";
import { findType } from "../configurations/type-store.js";
import { coursesOf } from "../learners/access.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import type { Criteria } from "./criteria.js";
import { criteriaIn } from "./evaluate-eligibility.js";
import type { Processor } from "./processor.js";

/** The rules that decide who is eligible under a configuration. */
export interface EligibilityRules {
  readonly learningContextKey: string;
  /** In the order of the path; for a course, the course itself. */
  readonly courses: readonly CourseRules[];
}

/** What is required in one course. */
export interface CourseRules {
  readonly courseKey: string;
  /** If undefined, nobody meets the requirement. */
  readonly criteria: Criteria | undefined;
  /** The grading policy: weights by assignment type, in its order. Decimal texts, so that they are exact. */
  readonly policy: ReadonlyMap<string, string>;
  /** The platform's letter grades, best first. */
  readonly letterGrades: readonly string[];
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
  return rulesIn(transaction, processor, options, configuration.learningContextKey);
}

/** Reads the courses of a context, with the rules that these options give them. */
export async function rulesIn(
  db: Knex,
  processor: Processor,
  options: Options,
  learningContextKey: string,
): Promise<EligibilityRules> {
  const isPath = parseLearningContextKey(learningContextKey).kind === "path";
  const courses = await queryRows<{
    courseKey: string;
    assignmentTypes: string[];
    weights: string[];
    letterGrades: string[];
  }>(
    db,
    `select step.course_key as "courseKey", coalesce(assignment_types, '{}') as "assignmentTypes",
       coalesce(weights::text[], '{}') as weights, coalesce(letter_grades, '{}') as "letterGrades"
     from ${coursesOf(":learningContextKey")} as step
     left join courses on courses.course_key = step.course_key and not is_deleted
     order by step.position`,
    { learningContextKey },
  );
  return {
    learningContextKey,
    courses: courses.map(({ courseKey, assignmentTypes, weights, letterGrades }) => ({
      courseKey,
      letterGrades,
      criteria: criteriaIn(courseKey, isPath, options, processor),
      policy: new Map(assignmentTypes.map((type, index) => [type, weights[index] ?? "0"])),
    })),
  };
}
