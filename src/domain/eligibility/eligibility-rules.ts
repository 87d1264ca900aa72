import { mergeOptions } from "#foundation/text/merge-options.js";
import { type Knex, queryRows, queryValues } from "#infrastructure/db/query.js";
import { findConfiguration } from "../configurations/configuration-store.js";
import type { CredentialType } from "../configurations/credential-type.js";
import type { Functions } from "../configurations/functions.js";
import { noSuchConfiguration } from "../configurations/manage-configurations.js";
import { type Options, requiredStepsIn } from "../configurations/options.js";
import { findType } from "../configurations/type-store.js";
import { coursesSql } from "../learners/access.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import type { Criteria } from "./criteria.js";
import { criteriaIn, requirementIn } from "./evaluate-eligibility.js";
import type { Processor } from "./processor.js";
import { criteriaByCourse, type ResolvedRequirement, resolveRequirement } from "./resolve-requirement.js";

export interface EligibilityRules {
  readonly learningContextKey: string;
  /** The courses of a path in order, a single course, or the courses in a requirement tree. */
  readonly courses: readonly CourseRules[];
  /** Number of required courses of a path; undefined if all are required. */
  readonly requiredSteps?: number;
  /**
   * If present, this tree determines eligibility. The criteria of courses then only say which results the tree uses.
   */
  readonly requirement?: ResolvedRequirement;
}

export interface CourseRules {
  readonly courseKey: string;
  /** If undefined, nobody meets the requirements. */
  readonly criteria: Criteria | undefined;
  /** Weights by assignment type, in order, as exact decimal texts. */
  readonly policy: ReadonlyMap<string, string>;
  /** The platform's letter grades, best first. */
  readonly letterGrades: readonly string[];
}

export async function readEligibilityRules(
  transaction: Knex,
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

export async function rulesIn(
  db: Knex,
  processor: Processor,
  options: Options,
  learningContextKey: string,
): Promise<EligibilityRules> {
  const isPath = parseLearningContextKey(learningContextKey).kind === "path";
  const requiredSteps = isPath ? requiredStepsIn(options) : undefined;
  const contextKeys = await queryValues<string>(
    db,
    `select course_key from ${coursesSql(":learningContextKey")} as step order by position`,
    { learningContextKey },
  );
  const own = { learningContextKey, ...(requiredSteps !== undefined && { requiredSteps }) };
  if (!("requirement" in processor)) {
    const courses = await readCourses(db, contextKeys, (courseKey) =>
      criteriaIn(courseKey, isPath, options, processor),
    );
    return { ...own, courses };
  }
  const tree = requirementIn(options, processor);
  if (!tree) {
    const courses = await readCourses(db, contextKeys, () => undefined);
    return { ...own, courses, requirement: nothingCanMeet };
  }
  const context = { learningContextKey, isPath, courseKeys: contextKeys, requiredSteps };
  const requirement = resolveRequirement(tree, context);
  const criteria = criteriaByCourse(requirement);
  const courses = await readCourses(db, [...criteria.keys()], (courseKey) => criteria.get(courseKey));
  return { ...own, courses, requirement };
}

const nothingCanMeet: ResolvedRequirement = { kind: "any", count: 1, parts: [] };

async function readCourses(
  db: Knex,
  courseKeys: readonly string[],
  criteriaOf: (courseKey: string) => Criteria | undefined,
): Promise<CourseRules[]> {
  const courses = await queryRows<{
    courseKey: string;
    assignmentTypes: string[];
    weights: string[];
    letterGrades: string[];
  }>(
    db,
    `select step.course_key as "courseKey", coalesce(assignment_types, '{}') as "assignmentTypes",
       coalesce(weights::text[], '{}') as weights, coalesce(letter_grades, '{}') as "letterGrades"
     from unnest(?::text[]) with ordinality as step (course_key, position)
     left join courses on courses.course_key = step.course_key and not is_deleted
     order by step.position`,
    [courseKeys],
  );
  return courses.map(({ courseKey, assignmentTypes, weights, letterGrades }) => ({
    courseKey,
    letterGrades,
    criteria: criteriaOf(courseKey),
    policy: new Map(assignmentTypes.map((type, index) => [type, weights[index] ?? "0"])),
  }));
}
