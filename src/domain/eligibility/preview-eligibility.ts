import { statusSql } from "#foundation/credential-status.js";
import { Problem, wrongField } from "#foundation/errors.js";
import { mergeOptions, REQUIREMENTS } from "#foundation/text/merge-options.js";
import { type Knex, queryRowOrThrow, queryRows } from "#infrastructure/db/query.js";
import type { Functions } from "../configurations/functions.js";
import { checkRequirements, checkStored, type Options } from "../configurations/options.js";
import { refuseForeign } from "../configurations/requirement-links.js";
import { countEnrolled } from "../learners/access.js";
import type { LearningContextKey } from "../learners/learning-context-key.js";
import { noSuchLearner } from "../learners/no-such-learner.js";
import type { Organisations } from "../learners/organisations.js";
import { printedNameSql } from "../learners/printed-name.js";
import { type EligibilityRules, readEligibilityRules, rulesIn } from "./eligibility-rules.js";
import { eligibleLearners } from "./eligible-learners.js";
import { evaluateEligibility, requirementIn } from "./evaluate-eligibility.js";
import { readNamed, readProgress } from "./learner-progress.js";
import { linksOf } from "./links-of-requirement.js";
import type { Processor } from "./processor.js";
import type { EligibilityEntry } from "./report-eligibility.js";
import { unknownRequirements } from "./unknown-requirements.js";
import type { Warning } from "./warning.js";

/** Requirements that may be unsaved, and the context in which to evaluate them. */
interface NamedRequirements {
  readonly key: LearningContextKey;
  /** Dotted path of the retrieval function. */
  readonly retrievalFunc: string;
  readonly typeOptions: Options;
  /** Options that are merged over the options of the type. */
  readonly customOptions: Options;
  /** Empty if no learner is to be evaluated. */
  readonly username: string;
  /** The configuration whose saved requirements are used for comparison; 0 for no comparison. */
  readonly configurationId: number;
  readonly organisations: Organisations;
}

export interface EligibilityPreview {
  readonly eligibleCount: number;
  /** Number of learners with a record who are actively enrolled. */
  readonly enrolledCount: number;
  readonly courses: readonly AssessedCourse[];
  readonly warnings: readonly Warning[];
  /** The error in the options; empty if there is none. */
  readonly problem: string;
  readonly changes: EligibilityChanges;
  /** Progress of the requested learner. */
  readonly entry?: EligibilityEntry;
}

/** Learners who would gain or lose eligibility, compared with the saved requirements. */
interface EligibilityChanges {
  readonly gainedCount: number;
  readonly lostCount: number;
  readonly learners: readonly {
    readonly username: string;
    readonly fullName: string;
    readonly isGained: boolean;
    readonly hasCredential: boolean;
  }[];
}

/** Maximum length of each list: of the learners who gain eligibility, and of those who lose it. */
const MAX_CHANGES = 1000;

interface AssessedCourse {
  readonly courseKey: string;
  readonly displayName: string;
  /** Assignment types in the order of the grading policy; without a policy, the types of existing grades. */
  readonly assignmentTypes: readonly string[];
  /** Letter grades, best first; without a scale, the letters that learners have. */
  readonly letterGrades: readonly string[];
}

/** Maximum number of assignment types and letter grades, if the course's platform does not list them. */
const MAX_TYPES = 100;

/**
 * Evaluates requirements in one context.
 * @throws Problem `invalid` for an unknown function, or options that are too large; `not-found` for a learner without a
 * record; `permission-denied` if the requirements refer to other organisations
 */
export async function previewEligibility(
  db: Knex,
  functions: Functions<Processor>,
  {
    key,
    retrievalFunc,
    typeOptions,
    customOptions,
    username,
    configurationId,
    organisations,
  }: NamedRequirements,
): Promise<EligibilityPreview> {
  const processor = functions.retrieval(retrievalFunc);
  const options = mergeOptions(typeOptions, customOptions);
  checkStored(options);
  const problem = problemOf(() => checkRequirements(options, key.kind, processor));
  await refuseForeign(db, organisations, {
    retrieval: processor,
    learningContextKey: key.text,
    options,
    typeOptions: (await isSavedType(db, typeOptions)) ? typeOptions : {},
    configurationId,
  });
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
  const changes = await changesFrom(db, functions, configurationId, rules);
  if (username === "") return { ...counts, courses, warnings, problem, changes };
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
    claim: "never" as const,
    existing: null,
  };
  const named = "requirement" in processor && requirementIn(options, processor);
  const linked = named ? await readNamed(db, username, linksOf(named, key.text)) : {};
  const result = evaluateEligibility(credential, processor, { ...progress, ...linked }, key.kind === "path");
  return { ...counts, courses, warnings, problem, changes, entry: { credential, progress: result } };
}

async function isSavedType(db: Knex, { [REQUIREMENTS]: tree = null }: Options): Promise<boolean> {
  const { isSaved } = await queryRowOrThrow<{ isSaved: boolean }>(
    db,
    `select exists (
       select from credential_types where custom_options -> '${REQUIREMENTS}' = ?::jsonb
     ) as "isSaved"`,
    [JSON.stringify(tree)],
  );
  return isSaved;
}

async function changesFrom(
  db: Knex,
  functions: Functions<Processor>,
  configurationId: number,
  rules: EligibilityRules,
): Promise<EligibilityChanges> {
  if (configurationId === 0) return { gainedCount: 0, lostCount: 0, learners: [] };
  const saved = await readEligibilityRules(db, functions, configurationId);
  if (saved.learningContextKey !== rules.learningContextKey)
    throw wrongField(
      "configuration_id",
      `is ${configurationId}, which belongs to ${saved.learningContextKey}; it must belong to ${rules.learningContextKey}.`,
    );
  const [before, after] = [eligibleLearners(saved), eligibleLearners(rules)];
  return queryRowOrThrow<EligibilityChanges>(
    db,
    `with before as materialized (${before.sql}), after as materialized (${after.sql}), changed as materialized (
       select coalesce(after.username, before.username) collate "C" as username, before.username is null as is_gained
       from after full join before on before.username = after.username
       where before.username is null or after.username is null
     ), shown as (
       select * from (
         select changed.*, row_number() over (partition by is_gained order by username) as position from changed
       ) as numbered where position <= ${MAX_CHANGES}
     )
     select (select count(*)::integer from changed where is_gained) as "gainedCount",
       (select count(*)::integer from changed where not is_gained) as "lostCount",
       (select coalesce(json_agg(json_build_object(
         'username', shown.username, 'fullName', ${printedNameSql("learner")}, 'isGained', is_gained,
         'hasCredential', exists (
           select from credentials credential where credential.username = shown.username
             and credential.configuration_id = ? and ${statusSql("credential").isInForce}
         )
       ) order by is_gained desc, shown.username), '[]')
       from shown join learners learner on learner.username = shown.username) as learners`,
    [...before.bindings, ...after.bindings, configurationId],
  );
}

/** Returns the message of a Problem `invalid` that `check` throws, or an empty string. */
function problemOf(check: () => void): string {
  try {
    check();
    return "";
  } catch (error) {
    if (error instanceof Problem && error.kind === "invalid") return error.message;
    throw error;
  }
}

function assessedCourses(db: Knex, courseKeys: readonly string[]): Promise<AssessedCourse[]> {
  return queryRows<AssessedCourse>(
    db,
    `select requested.course_key as "courseKey", coalesce(course.display_name, '') as "displayName",
       case when cardinality(course.assignment_types) > 0 then course.assignment_types else array(
         select distinct assignment_type from subsection_grades grade
         where grade.course_key = requested.course_key and not grade.is_deleted
         order by assignment_type limit ${MAX_TYPES}
       ) end as "assignmentTypes",
       case when cardinality(course.letter_grades) > 0 then course.letter_grades else array(
         select distinct letter from course_grades grade
         where grade.course_key = requested.course_key and not grade.is_deleted and letter <> ''
         order by letter limit ${MAX_TYPES}
       ) end as "letterGrades"
     from unnest(?::text[]) with ordinality as requested (course_key, position)
     left join courses course on course.course_key = requested.course_key and not course.is_deleted
     order by requested.position`,
    [courseKeys],
  );
}
