import type { Knex } from "knex";
import { Problem } from "#foundation/errors.js";
import { queryRowOrThrow, queryRows } from "#infrastructure/db/query.js";
import type { Functions } from "../configurations/functions.js";
import { checkKept, checkRequirements, mergeOptions, type Options } from "../configurations/options.js";
import { countEnrolled } from "../learners/access.js";
import type { LearningContextKey } from "../learners/learning-context-key.js";
import { noSuchLearner } from "../learners/no-such-learner.js";
import { rulesIn } from "./eligibility-rules.js";
import { eligibleLearners } from "./eligible-learners.js";
import { evaluateEligibility, requirementIn } from "./evaluate-eligibility.js";
import { readNamed, readProgress } from "./learner-progress.js";
import type { Processor } from "./processor.js";
import type { EligibilityEntry } from "./report-eligibility.js";
import { linksOf } from "./requirement-links.js";
import { unknownRequirements } from "./unknown-requirements.js";

/** Requirements that need not be saved, and where they would apply. */
export interface AskedRequirements {
  readonly key: LearningContextKey;
  /** Dotted path. */
  readonly retrievalFunc: string;
  readonly typeOptions: Options;
  /** Merged over those of the type. */
  readonly customOptions: Options;
  /** If empty, no learner is asked about. */
  readonly username: string;
}

/** To whom requirements would give a credential now. */
export interface EligibilityPreview {
  readonly eligibleCount: number;
  /** Learners with a record who are actively enrolled. */
  readonly enrolledCount: number;
  readonly courses: readonly AssessedCourse[];
  readonly warnings: readonly string[];
  /** What is wrong with the options; empty if nothing is. */
  readonly problem: string;
  /** Of the learner, if one was asked about. */
  readonly entry?: EligibilityEntry;
}

interface AssessedCourse {
  readonly courseKey: string;
  readonly displayName: string;
  /** In the order of the grading policy; without one, those of which there are grades. */
  readonly assignmentTypes: readonly string[];
  /** Best first; without a scale, those that learners have. */
  readonly letterGrades: readonly string[];
}

/** Maximum number of assignment types and letter grades listed for a course whose platform has not listed them. */
const MOST_TYPES = 100;

/**
 * Evaluates requirements in one context.
 * @throws Problem `invalid` for an unknown function, or options that are too large; `not-found` for a learner without a record
 */
export async function previewEligibility(
  db: Knex,
  functions: Functions<Processor>,
  { key, retrievalFunc, typeOptions, customOptions, username }: AskedRequirements,
): Promise<EligibilityPreview> {
  const processor = functions.retrieval(retrievalFunc);
  const options = mergeOptions(typeOptions, customOptions);
  checkKept(options);
  const problem = problemOf(() => checkRequirements(options, key.kind, processor));
  const rules = await rulesIn(db, processor, options, key.text);
  const eligible = eligibleLearners(rules);
  const { eligibleCount } = await queryRowOrThrow<Pick<EligibilityPreview, "eligibleCount">>(
    db,
    `select count(*)::integer as "eligibleCount" from (${eligible.sql}) as eligible`,
    eligible.bindings,
  );
  const counts = { eligibleCount, enrolledCount: await countEnrolled(db, key.text) };
  const courses = await assessedCourses(
    db,
    rules.courses.map(({ courseKey }) => courseKey),
  );
  const warnings = await unknownRequirements(db, rules, "configured");
  if (username === "") return { ...counts, courses, warnings, problem };
  const progress = await readProgress(db, { username, learningContextKey: key.text, retrievalFunc });
  if (!progress.hasLearnerRecord) throw noSuchLearner(username);
  const credential = {
    configurationId: 0,
    credentialTypeId: 0,
    name: "",
    retrievalFunc,
    typeOptions: JSON.stringify(options),
    options: "{}",
    isScheduled: false,
    existing: null,
  };
  const named = "requirement" in processor && requirementIn(options, processor);
  const linked = named ? await readNamed(db, username, linksOf(named, key.text)) : {};
  const result = evaluateEligibility(credential, processor, { ...progress, ...linked }, key.kind === "path");
  return { ...counts, courses, warnings, problem, entry: { credential, progress: result } };
}

/** @returns the message of what `check` throws; empty if it throws nothing */
function problemOf(check: () => void): string {
  try {
    check();
    return "";
  } catch (error) {
    if (error instanceof Problem && error.kind === "invalid") return error.message;
    throw error;
  }
}

/** Reads by what courses grade. */
function assessedCourses(db: Knex, courseKeys: readonly string[]): Promise<AssessedCourse[]> {
  return queryRows<AssessedCourse>(
    db,
    `select asked.course_key as "courseKey", coalesce(course.display_name, '') as "displayName",
       case when cardinality(course.assignment_types) > 0 then course.assignment_types else array(
         select distinct assignment_type from subsection_grades grade
         where grade.course_key = asked.course_key and not grade.is_deleted
         order by assignment_type limit ${MOST_TYPES}
       ) end as "assignmentTypes",
       case when cardinality(course.letter_grades) > 0 then course.letter_grades else array(
         select distinct letter from course_grades grade
         where grade.course_key = asked.course_key and not grade.is_deleted and letter <> ''
         order by letter limit ${MOST_TYPES}
       ) end as "letterGrades"
     from unnest(?::text[]) with ordinality as asked (course_key, position)
     left join courses course on course.course_key = asked.course_key and not course.is_deleted
     order by asked.position`,
    [courseKeys],
  );
}
